import type { ConnectionTest } from '@kassa/contract/blockchains/schemas.ts'
import { plural, t } from '@lingui/core/macro'

import { count } from '../../../lib/text/format.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { msText } from './node-columns.tsx'

/** What every node answered just now. */
export function ConnectionResult({ result: { nodes } }: { result: ConnectionTest }) {
  const all = nodes.length
  const good = nodes.filter(({ connected }) => connected).length
  const isWhole = nodes.every(({ shortcoming }) => shortcoming === null)
  const tone = good === all && isWhole ? 'success' : good === 0 ? 'danger' : 'warning'
  return (
    <Banner tone={tone}>
      <p className="font-medium">
        {plural(all, { one: `${good} of # node answers.`, other: `${good} of # nodes answer.` })}
      </p>
      <ul className="mt-1 flex flex-col gap-0.5 text-dense">
        {nodes.map((node) => (
          <li key={node.id} className="break-words tabular-nums">
            <bdi dir="ltr" className="font-mono">
              {node.url}
            </bdi>
            : {outcomeOf(node)}
          </li>
        ))}
      </ul>
    </Banner>
  )
}

function outcomeOf({
  connected,
  error,
  chainId: chainID,
  avgLatencyMs,
  lastBlockSeen,
  shortcoming,
}: ConnectionTest['nodes'][number]): string {
  if (!connected) return error ?? t`it did not answer.`
  const parts = [
    t`answers`,
    ...(avgLatencyMs === null ? [] : [msText(avgLatencyMs)]),
    ...(chainID === null ? [] : [t`chain ${chainID}`]),
    ...(lastBlockSeen === null ? [] : [blockText(lastBlockSeen)]),
    ...(shortcoming === null ? [] : [t`shows no TRX that contracts pass on: switch vm.saveInternalTx on`]),
  ]
  return parts.join(' · ')
}

function blockText(height: number): string {
  const block = count(height)
  return t`block ${block}`
}
