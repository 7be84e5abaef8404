import type { GraphData } from '@kassa/contract/analytics/schemas.ts'
import { Trans } from '@lingui/react/macro'

import { CardFrame } from './CardFrame.tsx'
import type { GraphAnswer, GraphCardProps } from './card.ts'

export type UnknownCardProps = GraphCardProps & { readonly query: GraphAnswer; readonly data: GraphData }

/** A graph of a type that this dashboard does not know: what can be read of it. */
export function UnknownCard({ data: _, ...props }: UnknownCardProps) {
  return (
    <CardFrame {...props}>
      {() => (
        <p className="py-4 text-body text-muted">
          <Trans>This card can’t be drawn yet.</Trans>
        </p>
      )}
    </CardFrame>
  )
}
