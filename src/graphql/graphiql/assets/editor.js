/** Runs before GraphiQL: where its editor has its workers, and that the page's own script may speak to it. */
const workers = JSON.parse(document.getElementById('root').dataset.workers);
self.MonacoEnvironment = { globalAPI: true, getWorkerUrl: (_id, label) => workers[label] ?? workers.editorWorkerService };
