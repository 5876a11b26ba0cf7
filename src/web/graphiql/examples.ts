/**
 * The examples in GraphiQL. The first comment of each is its question, which is listed and searched. A comment such as `# View: JSON` names
 * the view of its answer; the default is the table. `npm run codegen` writes them to `examples/` and generates their types.
 */
import { viewAmong } from './example-text.ts';
import { questionDocuments } from './question-documents.ts';
import type { ViewName } from './view-names.ts';

export const examples = {
  'property-units': `# Which units and which technical equipment does a property have?
# Every tier may read these.
query PropertyUnits {
  properties(first: 5) {
    totalCount
    nodes {
      propertyId
      entrance
      address
      unitCount
      floorAreas(first: 10, orderBy: [{ unitNumber: ASC }]) {
        totalCount
        nodes {
          floorAreaId
          description
          usageTypeLabel
          areaSqm
        }
      }
      technicalObjects(first: 5, filter: { status: { eq: "active" } }) {
        nodes {
          toId
          toName
          nextMaintenanceDate
        }
      }
    }
  }
}
`,
  'orders-offer': `# Which offer did an order follow from, and who made it?
# Two relations deep: from an order to its offer, and to the creditor.
query OrdersWithOffer {
  orders(first: 10, filter: { offerHdrId: { isNull: false } }) {
    nodes {
      orderId
      subject
      orderDate
      totalNet
      invoiceStatusLabel
      offer {
        offerValue
        statusTextLabel
        creditor {
          name
        }
      }
    }
  }
}
`,
  'notification-technical-object': `# Which technical object does a damage report concern, and which orders followed?
query NotificationsWithTechnicalObject {
  notifications(first: 10, filter: { toHdrId: { isNull: false } }, orderBy: [{ reportDate: DESC }]) {
    nodes {
      reportHdrId
      reportDate
      statusLabel
      technicalObject {
        toName
        manufacturer
        conditionRating
      }
      orders(first: 3) {
        nodes {
          orderNumber
          totalGross
        }
      }
    }
  }
}
`,
  'arrears-per-property': `# Which properties have the highest rent arrears? (Mietrückstände)
# Groups instead of rows: the fields under "key" define the groups.
query ArrearsPerProperty {
  tenantsGroups(orderBy: [{ measure: ARREARS, direction: DESC }], having: { measures: { arrears: { gt: 0 } } }, first: 20) {
    totalCount
    groups {
      key {
        property {
          propertyId
          propertyName
        }
      }
      count
      measures {
        arrears
        arrearsRatio
      }
    }
  }
}
`,
  'vacancy-by-month': `# Since when do units stand empty, month by month? (Leerstand)
# The chart shows it: area over the month in which the vacancy began.
query VacancyByMonth {
  propertyStructureGroups(filter: { occupancyStatus: { eq: "vacant" }, isActive: { eq: true } }) {
    groups {
      key {
        vacantSince(bucket: MONTH)
      }
      count
      sum {
        areaSqm
        targetRentNet
      }
    }
  }
}
`,
  'open-orders-per-creditor': `# How much is still open with which creditor, by trade? (Offenes Auftragsvolumen je Kreditor und Gewerk)
query OpenOrdersPerCreditor {
  ordersGroups(having: { sum: { remainingNet: { gt: 0 } } }, orderBy: [{ sum: REMAINING_NET, direction: DESC }], first: 20) {
    totalCount
    groups {
      key {
        creditor {
          name
        }
        trade
        tradeLabel
      }
      count
      sum {
        remainingNet
      }
    }
  }
}
`,
  'maintenance-per-sqm': `# What did maintenance cost per m² in 2025? (Instandhaltungskosten je m²)
# A measure is computed from sums, never from averages; the documentation of its table defines it.
query MaintenancePerSquareMetre {
  ordersGroups(
    filter: { orderDate: { gte: "2025-01-01", lte: "2025-12-31" } }
    orderBy: [{ measure: MAINTENANCE_COST_PER_SQM, direction: DESC }]
    first: 20
  ) {
    groups {
      key {
        property {
          propertyName
        }
      }
      sum {
        invoicedNet
      }
      measures {
        maintenanceCostPerSqm
      }
    }
  }
}
`,
  'orders-of-two-years': `# How do invoiced amounts of two years compare by trade, and how many orders are still open? (Abgerechnete Kosten im Vorjahresvergleich)
# A value with a filter counts only some rows of its group. An order refers to it by its alias.
query OrdersOfTwoYears {
  ordersGroups(orderBy: [{ of: "net2026", sum: INVOICED_NET, direction: DESC }], first: 20) {
    groups {
      key {
        trade
        tradeLabel
      }
      net2025: sum(filter: { orderDate: { gte: "2025-01-01", lt: "2026-01-01" } }) {
        invoicedNet
      }
      net2026: sum(filter: { orderDate: { gte: "2026-01-01", lt: "2027-01-01" } }) {
        invoicedNet
      }
      open: count(filter: { not: { status: { in: ["closed", "cancelled", "rejected"] } } })
      median {
        invoicedNet
      }
    }
  }
}
`,
  'dearest-trades': `# Which three trades cost each property most? (Gewerke)
query DearestTrades {
  ordersGroups(
    topPer: { by: [{ property: { column: PROPERTY_NAME } }], first: 3 }
    orderBy: [{ key: { property: { column: PROPERTY_NAME } } }, { sum: TOTAL_NET, direction: DESC }]
  ) {
    groups {
      key {
        property {
          propertyName
        }
        trade
        tradeLabel
      }
      sum {
        totalNet
      }
    }
  }
}
`,
  'filter-and-order': `# Which plumbing or heating orders over 500 were not cancelled?
# Filters combine with and, or, not; several columns order, nulls last.
query OpenPlumbingOrders {
  orders(
    first: 10
    filter: {
      totalNet: { gte: 500 }
      or: [{ trade: { startsWith: "plumbing" } }, { subject: { iContains: "heizung" } }]
      not: { status: { in: ["cancelled", "rejected"] } }
    }
    orderBy: [{ priorityText: ASC }, { orderId: DESC }]
  ) {
    totalCount
    nodes {
      orderId
      subject
      priorityTextLabel
      totalNet
    }
  }
}
`,
  'next-page': `# How do I page through all orders?
# Pages follow each other by cursor: put endCursor into "after". The cursor works in REST too.
# View: JSON
query OrderPages($after: String) {
  orders(first: 20, after: $after) {
    pageInfo {
      hasNextPage
      endCursor
    }
    nodes {
      orderId
      subject
    }
  }
}
`,
  ...questionDocuments,
  'what-there-is': `# What may my key read, what changed, what does a code mean, and how many requests are left?
# View: JSON
query WhatThereIs {
  catalog {
    category
    tables
  }
  changes(since: "2024-01-01") {
    table
    changedAt
    rowCount
  }
  lookupValues(table: "property_structure", column: "usage_type") {
    value
    label
  }
  rateLimit {
    limit
    remaining
    resetsAt
  }
}
`,
} as const;

const documents: readonly string[] = Object.values(examples);

/** The view that an example names. Undefined if the document is not an example. */
export const exampleView = (query: string): ViewName | undefined => viewAmong(documents, query);
