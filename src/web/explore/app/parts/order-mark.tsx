/** The mark of a sorted column: its direction, and its place if there are several. */
import type { OrderStep } from '../view/view.ts';

export const OrderMark = ({ step }: { readonly step: OrderStep | undefined }) =>
  step && (
    <span className="order-mark" aria-hidden="true">
      {step.direction === 'ascending' ? '▲' : '▼'}
      {step.place > 0 && <sub>{step.place}</sub>}
    </span>
  );
