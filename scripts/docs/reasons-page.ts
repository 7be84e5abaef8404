import { DEPOSIT_REASONS } from '@kassa/contract/deposits/reasons.ts'
import { parameterNames, REASONS, type ReasonGroup } from '@kassa/contract/reasons.ts'
import { page, printedFrom, table } from './markdown.ts'

/** Prints every reason: its code, its parameters or its sentence, and how an alarm ends. */
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
  const rows = kinds.map(([code, kind]) => {
    const cases = parameterNames(kind).map((names) => names.map((name) => `\`${name}\``).join(', '))
    const parameters = cases.join(' · ')
    // A reason without parameters is one sentence.
    const said = parameters === '' ? kind.text({} as never) : parameters
    return [`\`${code}\``, said, ...(hasEnds ? [kind.ends ?? 'An operator clears it.'] : [])]
  })
  return [`## ${title}`, table(['Code', 'Parameters, or the text', ...(hasEnds ? ['How it ends'] : [])], rows)]
}
