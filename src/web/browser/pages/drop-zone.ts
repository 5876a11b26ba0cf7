/** A form takes files and folders that are dropped on it, and folders that are chosen. They become the files of its first input. */

/** Files of a folder that no person made. */
const isHidden = (name: string): boolean => name.startsWith('.');

/** All files below an entry. A folder gives its entries in parts, until a part is empty. */
const filesOf = async (entry: FileSystemEntry): Promise<readonly File[]> => {
  if (isHidden(entry.name)) return [];
  if (entry.isFile) return [await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: File[] = [];
  for (;;) {
    const part = await new Promise<readonly FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return found;
    for (const one of part) found.push(...(await filesOf(one)));
  }
};

/** The files of a drop. The items are gone after the event, so all of them are taken before the first one is read. */
const droppedFiles = async ({ items }: DataTransfer): Promise<readonly File[]> => {
  const taken = [...items].map((item) => item.webkitGetAsEntry() ?? item.getAsFile());
  const files = taken.map((one) => (one instanceof File ? [one] : one ? filesOf(one) : []));
  return (await Promise.all(files)).flat();
};

const choose = (input: HTMLInputElement, files: readonly File[]): void => {
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  input.files = transfer.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
};

export const dropZone = (form: HTMLFormElement): void => {
  const files = form.querySelector<HTMLInputElement>('input[type=file][multiple]:not([webkitdirectory])');
  const folder = form.querySelector<HTMLInputElement>('input[webkitdirectory]');
  if (!files) return;
  folder?.addEventListener('change', () => {
    choose(
      files,
      [...(folder.files ?? [])].filter(({ webkitRelativePath }) => !webkitRelativePath.split('/').some(isHidden)),
    );
    folder.value = '';
  });
  const mark = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    form.classList.add('dropping');
  };
  form.addEventListener('dragenter', mark);
  form.addEventListener('dragover', mark);
  form.addEventListener('dragleave', () => form.classList.remove('dropping'));
  form.addEventListener('drop', (event) => {
    form.classList.remove('dropping');
    // A file that is dropped on an input replaces it by the browser's own rule, which knows no folders.
    event.preventDefault();
    if (event.dataTransfer) void droppedFiles(event.dataTransfer).then((dropped) => choose(files, dropped));
  });
};
