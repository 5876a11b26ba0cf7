/** The saved questions of the demo customers, in the words of a portfolio manager. */
export const demoQuestions: readonly { readonly name: string; readonly document: string }[] = [
  {
    name: 'arrears',
    document: `# Which properties have the highest arrears? (Mietrückstände)
query Arrears($first: Int = 10) {
  tenantsGroups(orderBy: [{ measure: ARREARS, direction: DESC }], having: { measures: { arrears: { gt: 0 } } }, first: $first) {
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
      }
    }
  }
}
`,
  },
  {
    name: 'vacancy',
    document: `# Which units are vacant, since when, and at which target rent? (Leerstand)
query Vacancy($first: Int = 100) {
  propertyStructure(
    filter: { occupancyStatus: { eq: "vacant" }, isActive: { eq: true } }
    orderBy: [{ vacantSince: ASC }]
    first: $first
  ) {
    nodes {
      floorAreaId
      description
      usageTypeLabel
      areaSqm
      vacantSince
      targetRentNet
    }
  }
}
`,
  },
  {
    name: 'leases-that-end',
    document: `# Which leases end in a period? (Auslaufende Mietverträge)
query LeasesThatEnd($from: Date = "2026-01-01", $to: Date = "2026-12-31") {
  tenants(filter: { contractEndDate: { gte: $from, lte: $to } }, orderBy: [{ contractEndDate: ASC }], first: 1000) {
    nodes {
      contractNumber
      name
      contractEndDate
      floorAreaId
      property {
        propertyName
      }
    }
  }
}
`,
  },
  {
    name: 'orders-of-trades',
    document: `# What did orders of these trades cost, by year? (Auftragskosten je Gewerk und Jahr)
query OrdersOfTrades($trades: [String!] = ["plumbing_heating", "electrical"]) {
  ordersGroups(filter: { trade: { in: $trades } }, first: 1000) {
    groups {
      key {
        tradeLabel
        orderDate(bucket: YEAR)
      }
      count
      sum {
        totalNet
        invoicedNet
      }
    }
  }
}
`,
  },
  {
    name: 'open-notifications',
    document: `# Which reports of tenants are still open, the oldest first? (Offene Meldungen)
query OpenNotifications($first: Int = 100) {
  notifications(filter: { not: { status: { in: ["completed", "cancelled"] } } }, orderBy: [{ reportDate: ASC }], first: $first) {
    nodes {
      reportHdrId
      reportDate
      priorityTextLabel
      statusLabel
      property {
        propertyName
      }
    }
  }
}
`,
  },
];
