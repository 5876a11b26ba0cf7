/** Says that the page is an operator's view of a customer. */
import { servicePath } from '../../../browser/service.ts';
import type { LanguageCode } from '../../described.ts';
import type { ViewedCustomer } from './reader.ts';
import { operatorTextsOf } from './texts.ts';

export const OperatorBanner = ({ view, language }: { readonly view: ViewedCustomer; readonly language: LanguageCode }) => {
  const t = operatorTextsOf[language];
  return (
    <p className="notice warn">
      <strong>{t.view(view.customer)}</strong> {t.about} <a href={servicePath(`/portal/customers/${view.slug}`)}>{t.customer}</a>
    </p>
  );
};
