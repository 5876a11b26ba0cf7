/** Loads the script that draws charts, which the start of the page does not need. */
import type { LoadDrawing } from '../../../browser/charts/chart-view.tsx';
import { servicePath } from '../../../browser/service.ts';

export const loadDrawing: LoadDrawing = () => import(servicePath(document.getElementById('root')?.dataset.drawing ?? ''));
