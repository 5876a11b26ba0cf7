/** What a saved question is, according to its document: its title, its variables and the columns of its table. */
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type TypeNode,
  type VariableDefinitionNode,
} from 'graphql';

/** The parameter for the form of the answer. A variable cannot have this name. */
export const formatName = 'format';

export interface QuestionColumn {
  /** The path of the value in a row, joined by dots. */
  readonly name: string;
  readonly path: readonly string[];
}

/** The table of a question: the only list of its answer. */
export interface QuestionTable {
  /** The path of the list in `data`. */
  readonly path: readonly string[];
  readonly columns: readonly QuestionColumn[];
}

export const operationOf = ({ definitions }: DocumentNode): OperationDefinitionNode | undefined =>
  definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION);

/** The first comment of a document. */
export const documentTitle = (text: string): string => /^\s*#\s*(.+)/.exec(text)?.[1]?.trim() ?? '';

export const variablesOf = (document: DocumentNode): readonly VariableDefinitionNode[] => operationOf(document)?.variableDefinitions ?? [];

/** The named type in a list or a non-null type. */
export const typeText = (type: TypeNode): string => {
  if (type.kind === Kind.NON_NULL_TYPE) return `${typeText(type.type)}!`;
  return type.kind === Kind.LIST_TYPE ? `[${typeText(type.type)}]` : type.name.value;
};

interface Selected {
  readonly field: FieldNode;
  readonly parent: GraphQLObjectType;
}

interface Found {
  readonly columns: Map<string, QuestionColumn>;
  readonly lists: Map<string, QuestionTable>;
}

/** Looks for the values and lists of a selection. A list is not searched for values of the rows around it. */
class Search {
  readonly #schema: GraphQLSchema;
  readonly #document: DocumentNode;

  constructor(schema: GraphQLSchema, document: DocumentNode) {
    this.#schema = schema;
    this.#document = document;
  }

  #fields(set: SelectionSetNode | undefined, parent: GraphQLObjectType): Selected[] {
    return (set?.selections ?? []).flatMap((selection): Selected[] => {
      if (selection.kind === Kind.FIELD) return [{ field: selection, parent }];
      const fragment =
        selection.kind === Kind.INLINE_FRAGMENT
          ? selection
          : this.#document.definitions.find(
              (definition) => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === selection.name.value,
            );
      if (!fragment || !('selectionSet' in fragment) || !fragment.selectionSet) return [];
      const condition = 'typeCondition' in fragment ? fragment.typeCondition?.name.value : undefined;
      const type = condition === undefined ? parent : this.#schema.getType(condition);
      return this.#fields(fragment.selectionSet, isObjectType(type) ? type : parent);
    });
  }

  find(set: SelectionSetNode | undefined, type: GraphQLObjectType, path: readonly string[], found: Found): Found {
    for (const { field, parent } of this.#fields(set, type)) {
      const own = [...path, field.alias?.value ?? field.name.value];
      const declared = parent.getFields()[field.name.value]?.type;
      const named = declared && getNamedType(declared);
      const name = own.join('.');
      if (!named || !isCompositeType(named)) found.columns.set(name, { name, path: own });
      else if (!isListType(getNullableType(declared))) this.find(field.selectionSet, named as GraphQLObjectType, own, found);
      else {
        const rows = this.find(field.selectionSet, named as GraphQLObjectType, [], { columns: new Map(), lists: found.lists });
        found.lists.set(name, { path: own, columns: [...rows.columns.values()] });
      }
    }
    return found;
  }
}

/** The row of an edge is its node. */
const withoutNode = ({ name, path }: QuestionColumn): QuestionColumn =>
  path[0] === 'node' && path.length > 1 ? { name: path.slice(1).join('.'), path } : { name, path };

/** The tables of all lists. The answer can be CSV if there is exactly one. */
export const questionTablesOf = (schema: GraphQLSchema, document: DocumentNode): readonly QuestionTable[] => {
  const query = schema.getQueryType();
  if (!query) return [];
  const { lists } = new Search(schema, document).find(operationOf(document)?.selectionSet, query, [], {
    columns: new Map(),
    lists: new Map(),
  });
  return [...lists.values()].map(({ path, columns }) => ({
    path,
    columns: path.at(-1) === 'edges' ? columns.map(withoutNode) : columns,
  }));
};
