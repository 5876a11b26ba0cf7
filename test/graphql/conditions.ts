/** Directives for generated documents. Their operation declares `conditionVariables`. */
export const conditionVariables = '$yes: Boolean = true, $no: Boolean = false';

/** Uses the variables, so that documents without conditions are valid. */
export const conditionsUsed = '__typename @include(if: $yes) @skip(if: $no)';

const including = ['', '', '@include(if: true)', '@skip(if: false)', '@include(if: $yes)', '@skip(if: $no) @include(if: true)'];
const excluding = ['@skip(if: true)', '@include(if: false)', '@skip(if: $yes)', '@include(if: $no)', '@skip(if: $yes) @include(if: $yes)'];

/** A condition that includes a field. `random` returns integers below its argument. */
export const included = (random: (max: number) => number): string => including[random(including.length)]!;
/** A condition that excludes a field. */
export const excluded = (random: (max: number) => number): string => excluding[random(excluding.length)]!;
