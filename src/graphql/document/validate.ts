/** Validates documents. Validation ends after a few errors, and the first one suggests other names (contract: GraphQL errors). */
import { type DocumentNode, type GraphQLError, type GraphQLSchema, specifiedRules, type ValidationContext, validate } from 'graphql';
import { maxErrors } from '../errors.ts';

/** The maximum length of a name for which others are suggested. A comparison takes time by the length of the name. */
const longestName = 100;

const hasLongName = ({ loc }: DocumentNode): boolean => {
  for (let token = loc?.startToken; token; token = token.next ?? undefined) if (token.end - token.start > longestName) return true;
  return false;
};

/** Suggests names in the first error only. Each suggestion compares a name with all others of its kind. */
const suggestOnce = (context: ValidationContext, document: DocumentNode): ValidationContext => {
  let hasReported = false;
  return Object.create(context, {
    hideSuggestions: { get: () => hasReported || hasLongName(document) },
    reportError: {
      value: (error: GraphQLError) => {
        hasReported = true;
        context.reportError(error);
      },
    },
  });
};

/** The errors of a document; none if it is valid. */
export const validateWithin = (schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] => {
  let shared: ValidationContext | undefined;
  const rules = specifiedRules.map((rule) => (context: ValidationContext) => {
    shared ??= suggestOnce(context, document);
    return rule(shared);
  });
  return validate(schema, document, rules, { maxErrors });
};
