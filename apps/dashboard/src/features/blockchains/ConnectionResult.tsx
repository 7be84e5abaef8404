import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ConnectionTest } from '@kassa/contract/blockchains/schemas.ts'

import { count } from '../../lib/format.ts'
import { Banner } from '../../ui/Banner.tsx'
import { msText } from './node-columns.tsx'

/** What every node answered just now. */
export function ConnectionResult({ result: { nodes } }: { result: ConnectionTest }) {
  const good = nodes.filter(({ connected }) => connected).length
  const tone = good === nodes.length ? 'success' : good === 0 ? 'danger' : 'warning'
  return (
    <Banner tone={tone}>
      <p className="font-medium">
        <Trans>
          {good} of {nodes.length} {nodes.length === 1 ? 'node answers' : 'nodes answer'}.
        </Trans>
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
  chainId,
  avgLatencyMs,
  lastBlockSeen,
}: ConnectionTest['nodes'][number]): string {
  if (!connected) return error ?? 'it did not answer.'
  const parts = [
    'answers',
    ...(avgLatencyMs === null ? [] : [msText(avgLatencyMs)]),
    ...(chainId === null ? [] : [t`chain ${chainId}`]),
    ...(lastBlockSeen === null ? [] : [t`block ${count(lastBlockSeen)}`]),
  ]
  return parts.join(' · ')
}
