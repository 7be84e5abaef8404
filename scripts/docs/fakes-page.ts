import { type FakeClass } from '../../packages/chains/src/testing/fakes/classes.ts'
import { page, printedFrom, table } from './markdown.ts'

/** Prints every kind of fake deposit with the test that shows it refused. */
export function fakesPage(classes: readonly FakeClass[]): string {
  return page(
    '# Fake deposits',
    printedFrom('packages/chains/src/testing/fakes/classes.ts'),
    'Ways to make a payment look like money that it is not, and where each is shown to bring nothing beyond what truly arrived.',
    table(
      ['Class', 'What happens', 'Test named after it'],
      classes.map(({ id, says, test }) => [id, says, `\`${test}\``]),
    ),
  )
}
