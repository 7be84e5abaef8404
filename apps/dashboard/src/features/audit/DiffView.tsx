import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { CodeBlock } from '../../ui/facts/CodeBlock.tsx'
import { differences } from './differences.ts'

/** What was there before, and what is there since, field by field; secrets never reach it. */
export function DiffView({ metadata }: { metadata: string }) {
  const found = differences(metadata)
  if (found === undefined) return metadata === '' ? <Nothing /> : <CodeBlock label={t`change`} text={metadata} wraps />
  if (found.length === 0) return <Nothing />
  return (
    <div className="overflow-x-auto rounded-control border border-border">
      <table className="w-full text-dense">
        <caption className="sr-only">{t`What changed`}</caption>
        <thead>
          <tr className="border-b border-border text-start text-muted">
            <th scope="col" className="px-3 py-2 text-start font-medium">
              <Trans>Field</Trans>
            </th>
            <th scope="col" className="px-3 py-2 text-start font-medium">
              <Trans>Before</Trans>
            </th>
            <th scope="col" className="px-3 py-2 text-start font-medium">
              <Trans>After</Trans>
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-border">
          {found.map(({ name, before, after }) => (
            <tr key={name} className="align-top">
              <th scope="row" className="px-3 py-2 text-start font-medium whitespace-nowrap">
                {name}
              </th>
              <td className="px-3 py-2 wrap-anywhere">{before === undefined ? '–' : <del>{before}</del>}</td>
              <td className="px-3 py-2 wrap-anywhere">
                {after === undefined ? '–' : <ins className="no-underline">{after}</ins>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Nothing() {
  return (
    <p className="text-body text-muted">
      <Trans>This call names no fields; its name and path say what it did.</Trans>
    </p>
  )
}
