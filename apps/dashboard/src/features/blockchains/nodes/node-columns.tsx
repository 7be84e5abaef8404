import type { Node } from '@kassa/contract/blockchains/schemas.ts'
import { t } from '@lingui/core/macro'

import { count } from '../../../lib/text/format.ts'
import { Age } from '../../../ui/time/Age.tsx'
import { StatusBadge } from '../../../ui/facts/StatusBadge.tsx'
import type { Column } from '../../../ui/list/columns.ts'
import { nodeReason, nodeState } from './node-states.ts'
import { NodeMenu } from './NodeMenu.tsx'
import type { NodeAction } from './NodeMenu.tsx'

/** Returns the columns of a network's nodes; without `onAct` there is nothing to press. */
export function nodeColumns(onAct: ((action: NodeAction, node: Node) => void) | undefined): Column<Node>[] {
  const columns: Column<Node>[] = [
    { key: 'url', label: t`Node`, card: 'title', cell: (node) => <Place node={node} /> },
    {
      key: 'state',
      label: t`State`,
      cell: (node) => <StatusBadge {...nodeState(node)} wire={node.health?.state ?? 'unknown'} />,
    },
    {
      key: 'score',
      label: t`Health`,
      align: 'end',
      cardLabel: true,
      cell: ({ health }) => (health === null ? '–' : `${health.score}/100`),
    },
    {
      key: 'latency',
      label: t`Latency`,
      align: 'end',
      shrink: 2,
      cell: ({ health }) => msText(health?.latencyMs ?? null),
    },
    { key: 'block', label: t`Last block`, align: 'end', cardLabel: true, cell: (node) => <LastBlock node={node} /> },
    {
      key: 'fails',
      label: t({ message: 'Fails', comment: 'how often a node has failed in a row' }),
      align: 'end',
      card: 'none',
      shrink: 1,
      cell: ({ health }) => health?.consecutiveFails ?? '–',
    },
  ]
  if (onAct === undefined) return columns
  const actions = (node: Node) => <NodeMenu node={node} onAct={(action) => onAct(action, node)} />
  return [...columns, { key: 'actions', label: t`Actions`, align: 'end', card: 'badge', cell: actions }]
}

/** Returns how long something took. */
export function msText(duration: number | null): string {
  if (duration === null) return '–'
  const ms = count(duration)
  return t`${ms} ms`
}

function Place({ node: { url, client, isPreferred, priority, health } }: { node: Node }) {
  return (
    <span className="flex max-w-60 flex-col py-2 lg:max-w-96">
      <bdi
        dir="ltr"
        title={url}
        className="truncate font-mono text-dense font-medium max-sm:break-all max-sm:whitespace-normal"
      >
        {url}
      </bdi>
      <span className="text-caption font-normal text-muted">
        {[isPreferred ? t`Asked first` : t`Priority ${priority}`, ...(client === '' ? [] : [client])].join(' · ')}
      </span>
      {health !== null && health.reason !== null && (
        <span className="text-caption font-normal whitespace-normal text-warning-text">{nodeReason(health)}</span>
      )}
    </span>
  )
}

function LastBlock({ node: { health } }: { node: Node }) {
  if (health === null || health.lastBlockSeen === null) return '–'
  return (
    <span>
      {count(health.lastBlockSeen)}
      {health.lastBlockTimestamp !== null && (
        <span className="text-muted">
          {' '}
          · <Age at={health.lastBlockTimestamp} />
        </span>
      )}
    </span>
  )
}
