/** The queries that GraphiQL opens with, a tab each. `npm run codegen` writes them to `examples/`, typed like any client's. */
export const examples = {
  'property-units': `# Units of a property with its technical equipment. Every tier may read these.
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
  'orders-offer': `# Two relations deep: from an order to its offer, and to the creditor who made that.
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
  'notification-technical-object': `# From a damage report to the technical object that it concerns, and to the orders that followed.
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
  'filter-and-order': `# Filters combine with and, or, not; several columns order, nulls last.
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
  'next-page': `# Pages follow each other by cursor: put endCursor into "after". The cursor works in REST too.
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
  'what-there-is': `# What the key may read, what changed, the values behind a code, and the quota.
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
