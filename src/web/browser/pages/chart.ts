/** Shows the value of a bar at the pointer and by arrow keys. Without JavaScript, the browser shows each bar's title. */

const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageUp: -7,
  PageDown: 7,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

for (const plot of document.querySelectorAll('.chart .plot')) {
  const svg = plot.querySelector('svg') as SVGSVGElement;
  const bars = [...svg.querySelectorAll('g')];
  if (bars.length === 0) continue;
  const words = bars.map((bar) => {
    const title = bar.querySelector('title');
    title?.remove();
    return title?.textContent ?? '';
  });
  // Hidden from screen readers, because the slider's value has the same text.
  const readout = document.createElement('span');
  readout.className = 'readout';
  readout.hidden = true;
  readout.setAttribute('aria-hidden', 'true');
  plot.append(readout);

  let present = bars.length - 1;
  const set = (attributes: Readonly<Record<string, string | number>>): void => {
    for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, String(value));
  };
  const choose = (index: number): void => {
    bars[present]?.classList.remove('present');
    present = Math.min(bars.length - 1, Math.max(0, index));
    set({ 'aria-valuenow': present + 1, 'aria-valuetext': words[present] ?? '' });
  };
  const show = (index: number): void => {
    choose(index);
    bars[present]?.classList.add('present');
    const share = (present + 0.5) / bars.length;
    readout.textContent = words[present] ?? '';
    readout.style.left = `${share * 100}%`;
    readout.style.transform = `translateX(${share * -100}%)`;
    readout.hidden = false;
  };
  const hide = (): void => {
    bars[present]?.classList.remove('present');
    readout.hidden = true;
  };

  set({ role: 'slider', tabindex: 0, 'aria-readonly': 'true', 'aria-valuemin': 1, 'aria-valuemax': bars.length });
  choose(present);
  const atPointer = ({ clientX }: PointerEvent): void => {
    const { left, width } = svg.getBoundingClientRect();
    show(Math.floor(((clientX - left) / width) * bars.length));
  };
  svg.addEventListener('pointermove', atPointer);
  svg.addEventListener('pointerdown', atPointer);
  svg.addEventListener('pointerleave', hide);
  svg.addEventListener('focus', () => show(present));
  svg.addEventListener('blur', hide);
  svg.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hide();
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    show(present + step);
  });
}
