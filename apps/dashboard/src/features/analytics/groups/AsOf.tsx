import type { GraphFilters } from '@kassa/contract/analytics/inputs.ts'
import { useQueries } from '@tanstack/react-query'

import { graphQuery } from '../../../api/analytics.ts'
import { AsOfText } from '../../../labels/graphs/AsOfText.tsx'

export type AsOfProps = {
  readonly projectId: string
  readonly groupId: number
  readonly asked: readonly { readonly graphId: number; readonly filters: GraphFilters }[]
}

/** When the figures of a card were true: those of several graphs were so when the oldest of them was read. */
export function AsOf({ projectId, groupId, asked }: AsOfProps) {
  const facts = useQueries({
    queries: asked.map(({ graphId, filters }) => graphQuery({ projectId, groupId, graphId }, filters)),
    combine: (results) => {
      const answers = results.flatMap(({ data }) => data ?? [])
      const oldest = answers.toSorted((a, b) => a.asOf.getTime() - b.asOf.getTime()).at(0)
      return {
        asOf: oldest?.asOf,
        counted: Math.min(100, ...answers.flatMap(({ countedPercent }) => countedPercent ?? [])),
      }
    },
  })
  return (
    <p className="mt-2 min-h-4 text-caption text-muted">
      <AsOfText {...facts} />
    </p>
  )
}
