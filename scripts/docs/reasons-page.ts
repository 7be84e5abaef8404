import { DEPOSIT_REASONS } from '@kassa/contract/deposits/reasons.ts'
import { REASONS, type ReasonGroup } from '@kassa/contract/reasons.ts'
import * as z from 'zod/mini'
import { page, printedFrom, table } from './markdown.ts'

type Described = {
  readonly properties?: Readonly<Record<string, { readonly const?: string }>>
  readonly anyOf?: readonly Described[]
  readonly oneOf?: readonly Described[]
}

/** Prints every reason: its code, its parameters and how an alarm ends. */
export function reasonsPage(): string {
  return page(
    '# Reasons',
    printedFrom('packages/contract/src/reasons.ts'),
    'Why something is so is a code with parameters, and `text` is its English sentence. Programs branch on the code and on nothing else; a code is never renamed.',
    ...REASONS.flatMap(section),
    '## Why a deposit stands where it does (`deposits[].reason`)',
    DEPOSIT_REASONS.map((code) => `\`${code}\``).join(', '),
  )
}

function section({ title, catalogue }: ReasonGroup): string[] {
  const kinds = Object.entries(catalogue)
  const hasEnds = kinds.some(([, { ends }]) => ends !== undefined)
  const rows = kinds.map(([code, { params, text, ends }]) => {
    const described = parametersOf(z.toJSONSchema(params) as Described)
    // A reason without parameters is one sentence.
    return [
      `\`${code}\``,
      described === '' ? text({} as never) : described,
      ...(hasEnds ? [ends ?? 'An operator clears it.'] : []),
    ]
  })
  return [`## ${title}`, table(['Code', 'Parameters, or the text', ...(hasEnds ? ['How it ends'] : [])], rows)]
}

/** The names of the parameters, and those of every case where there are several. */
function parametersOf({ properties = {}, anyOf, oneOf }: Described): string {
  const cases = anyOf ?? oneOf
  if (cases !== undefined) return cases.map(parametersOf).join(' · ')
  return Object.entries(properties)
    .map(([name, { const: value }]) => (value === undefined ? `\`${name}\`` : `\`${name}: ${value}\``))
    .join(', ')
}
