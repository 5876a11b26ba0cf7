/* eslint-disable */
import * as types from './graphql.ts';
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';

/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "query OpenPlumbingOrders {\n  orders(\n    first: 10\n    filter: {totalNet: {gte: 500}, or: [{trade: {startsWith: \"plumbing\"}}, {subject: {iContains: \"heizung\"}}], not: {status: {in: [\"cancelled\", \"rejected\"]}}}\n    orderBy: [{priorityText: ASC}, {orderId: DESC}]\n  ) {\n    totalCount\n    nodes {\n      orderId\n      subject\n      priorityTextLabel\n      totalNet\n    }\n  }\n}": typeof types.OpenPlumbingOrdersDocument,
    "query OrderPages($after: String) {\n  orders(first: 20, after: $after) {\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n    nodes {\n      orderId\n      subject\n    }\n  }\n}": typeof types.OrderPagesDocument,
    "query NotificationsWithTechnicalObject {\n  notifications(\n    first: 10\n    filter: {toHdrId: {isNull: false}}\n    orderBy: [{reportDate: DESC}]\n  ) {\n    nodes {\n      reportHdrId\n      reportDate\n      statusLabel\n      technicalObject {\n        toName\n        manufacturer\n        conditionRating\n      }\n      orders(first: 3) {\n        nodes {\n          orderNumber\n          totalGross\n        }\n      }\n    }\n  }\n}": typeof types.NotificationsWithTechnicalObjectDocument,
    "query OrdersWithOffer {\n  orders(first: 10, filter: {offerHdrId: {isNull: false}}) {\n    nodes {\n      orderId\n      subject\n      orderDate\n      totalNet\n      invoiceStatusLabel\n      offer {\n        offerValue\n        statusTextLabel\n        creditor {\n          name\n        }\n      }\n    }\n  }\n}": typeof types.OrdersWithOfferDocument,
    "query PropertyUnits {\n  properties(first: 5) {\n    totalCount\n    nodes {\n      propertyId\n      entrance\n      address\n      unitCount\n      floorAreas(first: 10, orderBy: [{unitNumber: ASC}]) {\n        totalCount\n        nodes {\n          floorAreaId\n          description\n          usageTypeLabel\n          areaSqm\n        }\n      }\n      technicalObjects(first: 5, filter: {status: {eq: \"active\"}}) {\n        nodes {\n          toId\n          toName\n          nextMaintenanceDate\n        }\n      }\n    }\n  }\n}": typeof types.PropertyUnitsDocument,
    "query WhatThereIs {\n  catalog {\n    category\n    tables\n  }\n  changes(since: \"2024-01-01\") {\n    table\n    changedAt\n    rowCount\n  }\n  lookupValues(table: \"property_structure\", column: \"usage_type\") {\n    value\n    label\n  }\n  rateLimit {\n    limit\n    remaining\n    resetsAt\n  }\n}": typeof types.WhatThereIsDocument,
    "query OrdersPage($first: Int!, $after: String, $withOffer: Boolean!) {\n  orders(first: $first, after: $after, orderBy: [{orderId: DESC}]) {\n    totalCount\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n    nodes {\n      ...OrderLine\n      offer @include(if: $withOffer) {\n        offerHdrId\n        offerValue\n      }\n    }\n  }\n}\n\nfragment OrderLine on Order {\n  orderId\n  orderDate\n  totalNet\n  isInsuranceClaim\n}": typeof types.OrdersPageDocument,
};
const documents: Documents = {
    "query OpenPlumbingOrders {\n  orders(\n    first: 10\n    filter: {totalNet: {gte: 500}, or: [{trade: {startsWith: \"plumbing\"}}, {subject: {iContains: \"heizung\"}}], not: {status: {in: [\"cancelled\", \"rejected\"]}}}\n    orderBy: [{priorityText: ASC}, {orderId: DESC}]\n  ) {\n    totalCount\n    nodes {\n      orderId\n      subject\n      priorityTextLabel\n      totalNet\n    }\n  }\n}": types.OpenPlumbingOrdersDocument,
    "query OrderPages($after: String) {\n  orders(first: 20, after: $after) {\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n    nodes {\n      orderId\n      subject\n    }\n  }\n}": types.OrderPagesDocument,
    "query NotificationsWithTechnicalObject {\n  notifications(\n    first: 10\n    filter: {toHdrId: {isNull: false}}\n    orderBy: [{reportDate: DESC}]\n  ) {\n    nodes {\n      reportHdrId\n      reportDate\n      statusLabel\n      technicalObject {\n        toName\n        manufacturer\n        conditionRating\n      }\n      orders(first: 3) {\n        nodes {\n          orderNumber\n          totalGross\n        }\n      }\n    }\n  }\n}": types.NotificationsWithTechnicalObjectDocument,
    "query OrdersWithOffer {\n  orders(first: 10, filter: {offerHdrId: {isNull: false}}) {\n    nodes {\n      orderId\n      subject\n      orderDate\n      totalNet\n      invoiceStatusLabel\n      offer {\n        offerValue\n        statusTextLabel\n        creditor {\n          name\n        }\n      }\n    }\n  }\n}": types.OrdersWithOfferDocument,
    "query PropertyUnits {\n  properties(first: 5) {\n    totalCount\n    nodes {\n      propertyId\n      entrance\n      address\n      unitCount\n      floorAreas(first: 10, orderBy: [{unitNumber: ASC}]) {\n        totalCount\n        nodes {\n          floorAreaId\n          description\n          usageTypeLabel\n          areaSqm\n        }\n      }\n      technicalObjects(first: 5, filter: {status: {eq: \"active\"}}) {\n        nodes {\n          toId\n          toName\n          nextMaintenanceDate\n        }\n      }\n    }\n  }\n}": types.PropertyUnitsDocument,
    "query WhatThereIs {\n  catalog {\n    category\n    tables\n  }\n  changes(since: \"2024-01-01\") {\n    table\n    changedAt\n    rowCount\n  }\n  lookupValues(table: \"property_structure\", column: \"usage_type\") {\n    value\n    label\n  }\n  rateLimit {\n    limit\n    remaining\n    resetsAt\n  }\n}": types.WhatThereIsDocument,
    "query OrdersPage($first: Int!, $after: String, $withOffer: Boolean!) {\n  orders(first: $first, after: $after, orderBy: [{orderId: DESC}]) {\n    totalCount\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n    nodes {\n      ...OrderLine\n      offer @include(if: $withOffer) {\n        offerHdrId\n        offerValue\n      }\n    }\n  }\n}\n\nfragment OrderLine on Order {\n  orderId\n  orderDate\n  totalNet\n  isInsuranceClaim\n}": types.OrdersPageDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 *
 *
 * @example
 * ```ts
 * const query = graphql(`query GetUser($id: ID!) { user(id: $id) { name } }`);
 * ```
 *
 * The query argument is unknown!
 * Please regenerate the types.
 */
export function graphql(source: string): unknown;

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query OpenPlumbingOrders {\n  orders(\n    first: 10\n    filter: {totalNet: {gte: 500}, or: [{trade: {startsWith: \"plumbing\"}}, {subject: {iContains: \"heizung\"}}], not: {status: {in: [\"cancelled\", \"rejected\"]}}}\n    orderBy: [{priorityText: ASC}, {orderId: DESC}]\n  ) {\n    totalCount\n    nodes {\n      orderId\n      subject\n      priorityTextLabel\n      totalNet\n    }\n  }\n}"): (typeof documents)["query OpenPlumbingOrders {\n  orders(\n    first: 10\n    filter: {totalNet: {gte: 500}, or: [{trade: {startsWith: \"plumbing\"}}, {subject: {iContains: \"heizung\"}}], not: {status: {in: [\"cancelled\", \"rejected\"]}}}\n    orderBy: [{priorityText: ASC}, {orderId: DESC}]\n  ) {\n    totalCount\n    nodes {\n      orderId\n      subject\n      priorityTextLabel\n      totalNet\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query OrderPages($after: String) {\n  orders(first: 20, after: $after) {\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n    nodes {\n      orderId\n      subject\n    }\n  }\n}"): (typeof documents)["query OrderPages($after: String) {\n  orders(first: 20, after: $after) {\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n    nodes {\n      orderId\n      subject\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query NotificationsWithTechnicalObject {\n  notifications(\n    first: 10\n    filter: {toHdrId: {isNull: false}}\n    orderBy: [{reportDate: DESC}]\n  ) {\n    nodes {\n      reportHdrId\n      reportDate\n      statusLabel\n      technicalObject {\n        toName\n        manufacturer\n        conditionRating\n      }\n      orders(first: 3) {\n        nodes {\n          orderNumber\n          totalGross\n        }\n      }\n    }\n  }\n}"): (typeof documents)["query NotificationsWithTechnicalObject {\n  notifications(\n    first: 10\n    filter: {toHdrId: {isNull: false}}\n    orderBy: [{reportDate: DESC}]\n  ) {\n    nodes {\n      reportHdrId\n      reportDate\n      statusLabel\n      technicalObject {\n        toName\n        manufacturer\n        conditionRating\n      }\n      orders(first: 3) {\n        nodes {\n          orderNumber\n          totalGross\n        }\n      }\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query OrdersWithOffer {\n  orders(first: 10, filter: {offerHdrId: {isNull: false}}) {\n    nodes {\n      orderId\n      subject\n      orderDate\n      totalNet\n      invoiceStatusLabel\n      offer {\n        offerValue\n        statusTextLabel\n        creditor {\n          name\n        }\n      }\n    }\n  }\n}"): (typeof documents)["query OrdersWithOffer {\n  orders(first: 10, filter: {offerHdrId: {isNull: false}}) {\n    nodes {\n      orderId\n      subject\n      orderDate\n      totalNet\n      invoiceStatusLabel\n      offer {\n        offerValue\n        statusTextLabel\n        creditor {\n          name\n        }\n      }\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query PropertyUnits {\n  properties(first: 5) {\n    totalCount\n    nodes {\n      propertyId\n      entrance\n      address\n      unitCount\n      floorAreas(first: 10, orderBy: [{unitNumber: ASC}]) {\n        totalCount\n        nodes {\n          floorAreaId\n          description\n          usageTypeLabel\n          areaSqm\n        }\n      }\n      technicalObjects(first: 5, filter: {status: {eq: \"active\"}}) {\n        nodes {\n          toId\n          toName\n          nextMaintenanceDate\n        }\n      }\n    }\n  }\n}"): (typeof documents)["query PropertyUnits {\n  properties(first: 5) {\n    totalCount\n    nodes {\n      propertyId\n      entrance\n      address\n      unitCount\n      floorAreas(first: 10, orderBy: [{unitNumber: ASC}]) {\n        totalCount\n        nodes {\n          floorAreaId\n          description\n          usageTypeLabel\n          areaSqm\n        }\n      }\n      technicalObjects(first: 5, filter: {status: {eq: \"active\"}}) {\n        nodes {\n          toId\n          toName\n          nextMaintenanceDate\n        }\n      }\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query WhatThereIs {\n  catalog {\n    category\n    tables\n  }\n  changes(since: \"2024-01-01\") {\n    table\n    changedAt\n    rowCount\n  }\n  lookupValues(table: \"property_structure\", column: \"usage_type\") {\n    value\n    label\n  }\n  rateLimit {\n    limit\n    remaining\n    resetsAt\n  }\n}"): (typeof documents)["query WhatThereIs {\n  catalog {\n    category\n    tables\n  }\n  changes(since: \"2024-01-01\") {\n    table\n    changedAt\n    rowCount\n  }\n  lookupValues(table: \"property_structure\", column: \"usage_type\") {\n    value\n    label\n  }\n  rateLimit {\n    limit\n    remaining\n    resetsAt\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query OrdersPage($first: Int!, $after: String, $withOffer: Boolean!) {\n  orders(first: $first, after: $after, orderBy: [{orderId: DESC}]) {\n    totalCount\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n    nodes {\n      ...OrderLine\n      offer @include(if: $withOffer) {\n        offerHdrId\n        offerValue\n      }\n    }\n  }\n}\n\nfragment OrderLine on Order {\n  orderId\n  orderDate\n  totalNet\n  isInsuranceClaim\n}"): (typeof documents)["query OrdersPage($first: Int!, $after: String, $withOffer: Boolean!) {\n  orders(first: $first, after: $after, orderBy: [{orderId: DESC}]) {\n    totalCount\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n    nodes {\n      ...OrderLine\n      offer @include(if: $withOffer) {\n        offerHdrId\n        offerValue\n      }\n    }\n  }\n}\n\nfragment OrderLine on Order {\n  orderId\n  orderDate\n  totalNet\n  isInsuranceClaim\n}"];

export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}

export type DocumentType<TDocumentNode extends DocumentNode<any, any>> = TDocumentNode extends DocumentNode<  infer TType,  any>  ? TType  : never;