import type { GraphFilters } from '@kassa/contract/analytics/inputs.ts'
import type { GraphData, UserGroup } from '@kassa/contract/analytics/schemas.ts'

import type { Grouping } from '../../../labels/graphs/grouping.ts'
import type { Graph } from '../reading/graphs.ts'

/** What a card is drawn for. */
export type GraphCardProps = {
  readonly projectId: string
  readonly group: UserGroup
  readonly graph: Graph
  /** Its place in its group. */
  readonly place: number
  /** It has the group to itself: its name is not said twice to the eye. */
  readonly isAlone: boolean
  readonly filters: GraphFilters
  readonly grouping: Grouping
  readonly asset: string | undefined
  /** The point that is read in a chart of the same group. */
  readonly marked: number | undefined
  readonly onMark: (point: number | undefined) => void
}

/** What a card that has its figures is drawn from. */
export type DrawnProps<Type extends GraphData['type'] = GraphData['type']> = GraphCardProps & {
  readonly query: GraphAnswer
  readonly data: Extract<GraphData, { type: Type }>
}

/** What is known of the call. */
export type GraphAnswer = {
  readonly data: GraphData | undefined
  readonly error: Error | null
  readonly failureReason: Error | null
  readonly isFetching: boolean
  readonly isPlaceholderData: boolean
  readonly refetch: () => unknown
}
