/** Names of people and firms: a few thousand natural persons by combination, and firms that sound like their trade. */
import type { Random } from './random.ts';

/** A list as it reads, names between commas. */
const listed = (names: string): readonly string[] => names.split(', ');

const women = listed(
  'Anna, Katrin, Leyla, Sofia, Clara, Mira, Nora, Ida, Maike, Jördis, Ayşe, Zoë, Renate, Ursula, Sabine, Petra, Monika, Heike, ' +
    'Julia, Laura, Lena, Hannah, Emma, Marie, Frieda, Charlotte, Fatma, Olga, Irina, Katarzyna, Ines, Birgit, Gudrun, Änne, ' +
    'Käthe, Dörte, Wiebke, Silke, Martina, Nadine',
);
const men = listed(
  'Paul, Jens, Tobias, Emre, Lukas, Jonas, Felix, Oskar, Ben, Jörg, Jürgen, Günter, Björn, Sören, Mehmet, Hans, Peter, ' +
    'Wolfgang, Thomas, Stefan, Andreas, Michael, Frank, Uwe, Karsten, Matthias, Daniel, Alexander, Piotr, Dmitri, Ali, Noah, ' +
    'Leon, Elias, Henri, Götz, Rüdiger, Detlef, Holger, Volker',
);
const surnames = listed(
  'Müller, Schmidt, Schneider, Fischer, Weber, Meyer, Wagner, Becker, Schulz, Hoffmann, Schäfer, Koch, Bauer, Richter, Klein, ' +
    'Wolf, Schröder, Neumann, Schwarz, Zimmermann, Braun, Krüger, Hofmann, Hartmann, Lange, Schmitt, Werner, Krause, Meier, ' +
    'Lehmann, Köhler, Herrmann, König, Walter, Mayer, Huber, Kaiser, Fuchs, Peters, Lang, Scholz, Möller, Weiß, Jung, Hahn, ' +
    'Vogel, Friedrich, Keller, Günther, Frank, Berger, Winkler, Roth, Beck, Lorenz, Baumann, Franke, Albrecht, Schuster, Simon, ' +
    'Ludwig, Böhm, Winter, Kraus, Martin, Schumacher, Krämer, Vogt, Stein, Jäger, Otto, Sommer, Groß, Seidel, Heinrich, Brandt, ' +
    'Haas, Schreiber, Graf, Schulte, Dietrich, Ziegler, Kuhn, Kühn, Pohl, Engel, Horn, Busch, Bergmann, Thomas, Voigt, Sauer, ' +
    'Arnold, Wolff, Pfeiffer, Yılmaz, Kaya, Demir, Nowak, Petersen, Jansen, Nguyen, Kowalski, Öztürk, Çelik',
);

export interface FullName {
  readonly salutation: 'Frau' | 'Herr';
  readonly title: string | null;
  readonly first: string;
  readonly last: string;
}

export const drawName = (random: Random): FullName => {
  const woman = random.chance(0.5);
  const title = random.chance(0.04) ? 'Dr.' : null;
  return { salutation: woman ? 'Frau' : 'Herr', title, first: random.pick(woman ? women : men), last: random.pick(surnames) };
};

const firms: Readonly<Record<string, readonly string[]>> = {
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
  tenant: ['Steuerberatung', 'Zahnarztpraxis', 'Bäckerei', 'Software', 'Kanzlei', 'Optik', 'Buchhandlung', 'Café', 'Logistik', 'Modehaus'],
  owner: ['Grundbesitz', 'Immobilien', 'Wohnfonds', 'Vermögensverwaltung', 'Stiftung Wohnen', 'Beteiligungen'],
};
const forms = ['GmbH', 'GmbH', 'GmbH & Co. KG', 'KG', 'AG', 'e. K.', 'OHG'];

/** A firm of the trade; 'tenant' and 'owner' count as trades here. */
export const drawFirm = (random: Random, trade: string): string =>
  `${random.pick(surnames)} ${random.pick(firms[trade] ?? ['Dienstleistungen', 'Service'])} ${random.pick(forms)}`;

const plain: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss', ş: 's', ı: 'i', ç: 'c', ë: 'e' };

/** Lower-case ASCII, as in mail addresses. */
export const ascii = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[äöüßşıçë]/g, (letter) => plain[letter]!)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
