/** Names of people, firms, banks, streets and cities. Combinations give a few thousand natural persons. */

/** A comma-separated list of names. */
const listed = (names: string): readonly string[] => names.split(', ');

export const women = listed(
  'Anna, Katrin, Leyla, Sofia, Clara, Mira, Nora, Ida, Maike, Jördis, Ayşe, Zoë, Renate, Ursula, Sabine, Petra, Monika, Heike, ' +
    'Julia, Laura, Lena, Hannah, Emma, Marie, Frieda, Charlotte, Fatma, Olga, Irina, Katarzyna, Ines, Birgit, Gudrun, Änne, ' +
    'Käthe, Dörte, Wiebke, Silke, Martina, Nadine',
);
export const men = listed(
  'Paul, Jens, Tobias, Emre, Lukas, Jonas, Felix, Oskar, Ben, Jörg, Jürgen, Günter, Björn, Sören, Mehmet, Hans, Peter, ' +
    'Wolfgang, Thomas, Stefan, Andreas, Michael, Frank, Uwe, Karsten, Matthias, Daniel, Alexander, Piotr, Dmitri, Ali, Noah, ' +
    'Leon, Elias, Henri, Götz, Rüdiger, Detlef, Holger, Volker',
);
export const surnames = listed(
  'Müller, Schmidt, Schneider, Fischer, Weber, Meyer, Wagner, Becker, Schulz, Hoffmann, Schäfer, Koch, Bauer, Richter, Klein, ' +
    'Wolf, Schröder, Neumann, Schwarz, Zimmermann, Braun, Krüger, Hofmann, Hartmann, Lange, Schmitt, Werner, Krause, Meier, ' +
    'Lehmann, Köhler, Herrmann, König, Walter, Mayer, Huber, Kaiser, Fuchs, Peters, Lang, Scholz, Möller, Weiß, Jung, Hahn, ' +
    'Vogel, Friedrich, Keller, Günther, Frank, Berger, Winkler, Roth, Beck, Lorenz, Baumann, Franke, Albrecht, Schuster, Simon, ' +
    'Ludwig, Böhm, Winter, Kraus, Martin, Schumacher, Krämer, Vogt, Stein, Jäger, Otto, Sommer, Groß, Seidel, Heinrich, Brandt, ' +
    'Haas, Schreiber, Graf, Schulte, Dietrich, Ziegler, Kuhn, Kühn, Pohl, Engel, Horn, Busch, Bergmann, Thomas, Voigt, Sauer, ' +
    'Arnold, Wolff, Pfeiffer, Yılmaz, Kaya, Demir, Nowak, Petersen, Jansen, Nguyen, Kowalski, Öztürk, Çelik',
);

/** Names of firms by trade. Suppliers of energy, insurance and public services belong to 'other'. */
export const tradeFirms = {
  plumbing_heating: ['Sanitär & Heizung', 'Wärmetechnik', 'Haustechnik'],
  electrical: ['Elektrotechnik', 'Elektro'],
  roofing: ['Bedachungen', 'Dachdeckerei'],
  painting: ['Malerbetrieb', 'Malermeister'],
  carpentry: ['Tischlerei', 'Holzbau'],
  flooring: ['Bodenbeläge', 'Parkett & Boden'],
  windows_doors: ['Fensterbau', 'Türen und Tore'],
  masonry: ['Bauunternehmung', 'Maurermeister'],
  facade: ['Fassadentechnik', 'Putz & Stuck'],
  elevator: ['Aufzug Service', 'Fördertechnik'],
  fire_protection: ['Brandschutz', 'Feuerschutztechnik'],
  locksmith: ['Schlüsseldienst', 'Schließtechnik'],
  drying: ['Bautrocknung', 'Wasserschadenservice'],
  landscaping: ['Garten- und Landschaftsbau', 'Grünanlagen'],
  cleaning: ['Gebäudereinigung', 'Hausmeisterservice'],
  planning: ['Ingenieurbüro', 'Planungsgesellschaft'],
  other: ['Dienstleistungen', 'Service'],
} as const;
export type Trade = keyof typeof tradeFirms;

export const tenantFirms = listed(
  'Steuerberatung, Zahnarztpraxis, Bäckerei, Software, Kanzlei, Optik, Buchhandlung, Café, Logistik, Modehaus',
);
export const ownerFirms = listed('Grundbesitz, Immobilien, Wohnfonds, Vermögensverwaltung, Stiftung Wohnen, Beteiligungen');
export const forms = ['GmbH', 'GmbH', 'GmbH & Co. KG', 'KG', 'AG', 'e. K.', 'OHG'];

export const banks = [
  ['10050000', 'BELADEBEXXX', 'Berliner Sparkasse'],
  ['20050550', 'HASPDEHHXXX', 'Hamburger Sparkasse'],
  ['37040044', 'COBADEFFXXX', 'Commerzbank Köln'],
  ['12030000', 'BYLADEM1001', 'Deutsche Kreditbank Berlin'],
  ['50010517', 'INGDDEFFXXX', 'ING-DiBa'],
  ['70150000', 'SSKMDEMMXXX', 'Stadtsparkasse München'],
] as const;

/** German cities with one of their postal codes. */
export interface Place {
  readonly postalCode: string;
  readonly city: string;
  readonly state: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Without the leading zero. */
  readonly diallingCode: string;
  /** Usual rent of a flat in cents per square metre. */
  readonly rentLevel: number;
}

const table: readonly (readonly [string, string, string, number, number, string, number])[] = [
  ['13353', 'Berlin', 'BE', 52.546, 13.352, '30', 1090],
  ['10115', 'Berlin', 'BE', 52.5323, 13.3846, '30', 1340],
  ['12043', 'Berlin', 'BE', 52.481, 13.439, '30', 1120],
  ['20095', 'Hamburg', 'HH', 53.5511, 10.0006, '40', 1310],
  ['22765', 'Hamburg', 'HH', 53.553, 9.927, '40', 1260],
  ['24103', 'Kiel', 'SH', 54.3213, 10.1349, '431', 930],
  ['23552', 'Lübeck', 'SH', 53.868, 10.687, '451', 950],
  ['24937', 'Flensburg', 'SH', 54.7833, 9.4333, '461', 860],
  ['24534', 'Neumünster', 'SH', 54.074, 9.981, '4321', 790],
  ['18055', 'Rostock', 'MV', 54.0887, 12.14, '381', 840],
  ['19053', 'Schwerin', 'MV', 53.6288, 11.4148, '385', 760],
  ['17489', 'Greifswald', 'MV', 54.093, 13.387, '3834', 810],
  ['18439', 'Stralsund', 'MV', 54.315, 13.09, '3831', 770],
  ['28195', 'Bremen', 'HB', 53.0793, 8.8017, '421', 980],
  ['27568', 'Bremerhaven', 'HB', 53.545, 8.58, '471', 690],
  ['30159', 'Hannover', 'NI', 52.3759, 9.732, '511', 990],
  ['38100', 'Braunschweig', 'NI', 52.264, 10.523, '531', 940],
  ['26122', 'Oldenburg', 'NI', 53.14, 8.214, '441', 950],
  ['49074', 'Osnabrück', 'NI', 52.277, 8.047, '541', 920],
  ['37073', 'Göttingen', 'NI', 51.533, 9.935, '551', 930],
  ['21335', 'Lüneburg', 'NI', 53.246, 10.409, '4131', 980],
  ['38440', 'Wolfsburg', 'NI', 52.422, 10.7865, '5361', 900],
  ['14467', 'Potsdam', 'BB', 52.4009, 13.0591, '331', 1150],
  ['03046', 'Cottbus', 'BB', 51.76, 14.334, '355', 690],
  ['15230', 'Frankfurt (Oder)', 'BB', 52.347, 14.55, '335', 660],
  ['14770', 'Brandenburg an der Havel', 'BB', 52.412, 12.556, '3381', 690],
  ['39104', 'Magdeburg', 'ST', 52.128, 11.629, '391', 700],
  ['06108', 'Halle (Saale)', 'ST', 51.485, 11.968, '345', 720],
  ['06844', 'Dessau-Roßlau', 'ST', 51.836, 12.245, '340', 610],
  ['01067', 'Dresden', 'SN', 51.056, 13.726, '351', 890],
  ['04109', 'Leipzig', 'SN', 51.34, 12.372, '341', 880],
  ['09111', 'Chemnitz', 'SN', 50.833, 12.921, '371', 600],
  ['08056', 'Zwickau', 'SN', 50.718, 12.49, '375', 590],
  ['99084', 'Erfurt', 'TH', 50.978, 11.029, '361', 840],
  ['07743', 'Jena', 'TH', 50.93, 11.587, '3641', 950],
  ['07545', 'Gera', 'TH', 50.88, 12.082, '365', 610],
  ['99423', 'Weimar', 'TH', 50.98, 11.329, '3643', 820],
  ['34117', 'Kassel', 'HE', 51.315, 9.495, '561', 890],
  ['60311', 'Frankfurt am Main', 'HE', 50.111, 8.682, '69', 1480],
  ['65183', 'Wiesbaden', 'HE', 50.082, 8.24, '611', 1190],
  ['64283', 'Darmstadt', 'HE', 49.872, 8.651, '6151', 1240],
  ['63065', 'Offenbach am Main', 'HE', 50.104, 8.764, '69', 1220],
  ['35037', 'Marburg', 'HE', 50.809, 8.77, '6421', 960],
  ['40213', 'Düsseldorf', 'NW', 51.225, 6.773, '211', 1260],
  ['50667', 'Köln', 'NW', 50.94, 6.957, '221', 1290],
  ['44135', 'Dortmund', 'NW', 51.515, 7.468, '231', 850],
  ['45127', 'Essen', 'NW', 51.457, 7.012, '201', 840],
  ['47051', 'Duisburg', 'NW', 51.432, 6.764, '203', 740],
  ['44787', 'Bochum', 'NW', 51.481, 7.218, '234', 800],
  ['42103', 'Wuppertal', 'NW', 51.256, 7.148, '202', 780],
  ['33602', 'Bielefeld', 'NW', 52.022, 8.533, '521', 900],
  ['53111', 'Bonn', 'NW', 50.737, 7.096, '228', 1180],
  ['48143', 'Münster', 'NW', 51.961, 7.625, '251', 1160],
  ['52062', 'Aachen', 'NW', 50.775, 6.086, '241', 980],
  ['41061', 'Mönchengladbach', 'NW', 51.195, 6.433, '2161', 790],
  ['45879', 'Gelsenkirchen', 'NW', 51.508, 7.099, '209', 670],
  ['55116', 'Mainz', 'RP', 50, 8.27, '6131', 1210],
  ['67059', 'Ludwigshafen am Rhein', 'RP', 49.479, 8.444, '621', 950],
  ['56068', 'Koblenz', 'RP', 50.359, 7.598, '261', 910],
  ['54290', 'Trier', 'RP', 49.754, 6.639, '651', 990],
  ['67655', 'Kaiserslautern', 'RP', 49.444, 7.768, '631', 820],
  ['66111', 'Saarbrücken', 'SL', 49.235, 6.996, '681', 850],
  ['66424', 'Homburg', 'SL', 49.32, 7.339, '6841', 810],
  ['70173', 'Stuttgart', 'BW', 48.778, 9.18, '711', 1430],
  ['68159', 'Mannheim', 'BW', 49.489, 8.465, '621', 1100],
  ['76133', 'Karlsruhe', 'BW', 49.011, 8.395, '721', 1130],
  ['79098', 'Freiburg im Breisgau', 'BW', 47.995, 7.849, '761', 1310],
  ['69115', 'Heidelberg', 'BW', 49.406, 8.68, '6221', 1290],
  ['89073', 'Ulm', 'BW', 48.4, 9.993, '731', 1110],
  ['74072', 'Heilbronn', 'BW', 49.142, 9.219, '7131', 1070],
  ['72070', 'Tübingen', 'BW', 48.521, 9.049, '7071', 1220],
  ['80331', 'München', 'BY', 48.135, 11.57, '89', 1890],
  ['80797', 'München', 'BY', 48.159, 11.559, '89', 1830],
  ['90402', 'Nürnberg', 'BY', 49.45, 11.079, '911', 1070],
  ['86150', 'Augsburg', 'BY', 48.365, 10.895, '821', 1140],
  ['93047', 'Regensburg', 'BY', 49.017, 12.098, '941', 1120],
  ['97070', 'Würzburg', 'BY', 49.795, 9.931, '931', 1030],
  ['85049', 'Ingolstadt', 'BY', 48.764, 11.417, '841', 1210],
  ['90762', 'Fürth', 'BY', 49.477, 10.99, '911', 1010],
  ['91054', 'Erlangen', 'BY', 49.597, 11.011, '9131', 1140],
];

export const places: readonly Place[] = table.map((row) => {
  const [postalCode, city, state, latitude, longitude, diallingCode, rentLevel] = row;
  return { postalCode, city, state, latitude, longitude, diallingCode, rentLevel };
});

export const streets = listed(
  'Seestraße, Lindenallee, Hauptstraße, Bahnhofstraße, Schillerstraße, Goethestraße, Mühlenweg, Am Markt, Kastanienallee, ' +
    'Friedrichstraße, Rosenweg, Gartenstraße, Bergstraße, Kirchgasse, Schulstraße, Ringstraße, Uferweg, Parkstraße, ' +
    'Beethovenstraße, Mozartstraße, Humboldtstraße, Südring, Königsallee, Wiesengrund, Ahornweg, Birkenweg, Buchenstraße, ' +
    'Eichendorffstraße, Kantstraße, Lessingstraße, Marienplatz, Neue Straße, Poststraße, Weststraße, Ostwall, Hafenstraße, ' +
    'Fährstraße, Grüner Weg, Röntgenstraße, Käthe-Kollwitz-Straße',
);
