/**
 * Validates a parsed document against a schema. The number of tokens bounds the cost (contract: GraphQL errors).
 *
 * Validation ends at the first few errors and makes no suggestions. Three of GraphQL's own rules are too expensive for a document of 4,000
 * tokens. Rules with the same meaning replace them.
 */
import {
  type ASTVisitor,
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isRequiredInputField,
  NoFragmentCyclesRule,
  NoUndefinedVariablesRule,
  NoUnusedVariablesRule,
  OverlappingFieldsCanBeMergedRule,
  specifiedRules,
  type ValidationContext,
  type ValidationRule,
  ValuesOfCorrectTypeRule,
  VariablesInAllowedPositionRule,
  validate,
} from 'graphql';
import { maxErrors } from '../errors.ts';
import { conflictOf } from './merging.ts';

/** GraphQL's rule reports all fragments of every cycle. This rule reports one spread for each cycle. */
const FragmentCyclesRule = (context: ValidationContext): ASTVisitor => {
  const open = new Set<string>();
  const done = new Set<string>();
  const follow = ({ name: { value: name }, selectionSet }: FragmentDefinitionNode): void => {
    if (done.has(name)) return;
    open.add(name);
    for (const spread of context.getFragmentSpreads(selectionSet)) {
      const to = spread.name.value;
      const fragment = context.getFragment(to);
      if (open.has(to)) context.reportError(new GraphQLError(`Cannot spread fragment "${to}" within itself.`, { nodes: spread }));
      else if (fragment) follow(fragment);
    }
    open.delete(name);
    done.add(name);
  };
  return {
    OperationDefinition: () => false,
    FragmentDefinition: (fragment) => {
      follow(fragment);
      return false;
    },
  };
};

const needing = new WeakMap<GraphQLInputObjectType, boolean>();

/** Whether a type has rules for the object as a whole: required fields, or exactly one field. */
const hasNeeds = (type: GraphQLInputObjectType): boolean => {
  const known = needing.get(type) ?? (type.isOneOf || Object.values(type.getFields()).some(isRequiredInputField));
  needing.set(type, known);
  return known;
};

/** GraphQL's rule visits all fields of the type for each object, although most types have no required fields. */
const ValuesRule = (context: ValidationContext): ASTVisitor => {
  const { ObjectValue, ...others } = ValuesOfCorrectTypeRule(context) as { ObjectValue: (node: unknown) => unknown };
  return {
    ...others,
    ObjectValue: (node) => {
      const type = getNamedType(context.getInputType());
      return isInputObjectType(type) && !hasNeeds(type) ? undefined : ObjectValue(node);
    },
  };
};

const replaced: ReadonlyMap<ValidationRule, readonly ValidationRule[]> = new Map([
  [NoFragmentCyclesRule, [FragmentCyclesRule]],
  [ValuesOfCorrectTypeRule, [ValuesRule]],
  // This rule compares all pairs of fields with one name. `conflictOf` replaces it.
  [OverlappingFieldsCanBeMergedRule, []],
]);
/** These rules visit all fragments for each operation. */
const variableRules: readonly ValidationRule[] = [NoUndefinedVariablesRule, NoUnusedVariablesRule, VariablesInAllowedPositionRule];
const otherRules = specifiedRules.filter((rule) => !variableRules.includes(rule)).flatMap((rule) => replaced.get(rule) ?? [rule]);

/** The first few errors of a document; none if it is valid. Each step runs only if the earlier steps find no error. */
export function* validateDocument(schema: GraphQLSchema, document: DocumentNode): Generator<void, readonly GraphQLError[]> {
  for (const rules of [otherRules, variableRules]) {
    const errors = validate(schema, document, rules, { maxErrors, hideSuggestions: true });
    if (errors.length > 0) return errors;
    yield;
  }
  const conflict = conflictOf(schema, document);
  return conflict ? [conflict] : [];
}
