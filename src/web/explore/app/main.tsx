/** The script of the explore page. */
import { createRoot } from 'react-dom/client';
import { showKeyForm } from '../../browser/key.ts';
import { App } from './app.tsx';
import { operatorView } from './operator/reader.ts';
import { firstLanguage, textsFor } from './parts/context.ts';

const root = document.getElementById('root') as HTMLElement;

if (!operatorView) showKeyForm(root.dataset.demoKeys, textsFor(firstLanguage()).key, true);
createRoot(root).render(<App />);
