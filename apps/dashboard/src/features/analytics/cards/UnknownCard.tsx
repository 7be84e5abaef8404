import { Trans } from '@lingui/react/macro'

import { CardFrame } from './CardFrame.tsx'
import type { GraphAnswer, GraphCardProps } from './card.ts'

/** A graph of a type that this dashboard does not know: what can be read of it. */
export function UnknownCard(props: GraphCardProps & { readonly query: GraphAnswer }) {
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
