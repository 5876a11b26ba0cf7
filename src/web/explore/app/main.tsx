/** The script of the explore page. */
import { createRoot } from 'react-dom/client';
import { showKeyForm } from '../../browser/key.ts';
import { storedLanguage } from '../../browser/values.ts';
import { App } from './app.tsx';
import { operatorView } from './operator/reader.ts';
import { textsOf } from './parts/texts.ts';

const root = document.getElementById('root') as HTMLElement;

if (!operatorView) showKeyForm(root.dataset.demoKeys, textsOf[storedLanguage()].key, true);
createRoot(root).render(<App />);
