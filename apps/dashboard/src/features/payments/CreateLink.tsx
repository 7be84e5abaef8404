import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import type { ReactNode } from 'react'
import { useState } from 'react'

import { PageHead } from '../../ui/PageHead.tsx'
import { CreatedLink } from './CreatedLink.tsx'
import type { MadeLink } from './CreatedLink.tsx'
import { CreateLinkForm } from './CreateLinkForm.tsx'

export type CreateLinkProps = {
  readonly projectId: string
  /** What only a sandbox offers for the link that was made. */
  readonly tools?: (payment: PaymentDetail) => ReactNode
}

/** A link in the clipboard: amount, customer, Enter. Beside it, what becomes of the link. */
export function CreateLink({ projectId, tools }: CreateLinkProps) {
  const [made, setMade] = useState<MadeLink>()
  const [round, setRound] = useState(0)
  const startAgain = () => {
    setMade(undefined)
    setRound(round + 1)
  }
  return (
    <>
      <PageHead title="Create payment link" />
      <div className="grid items-start gap-6 md:grid-cols-2">
        <CreateLinkForm key={`${projectId}-${round}`} projectId={projectId} made={made?.reference} onMade={setMade} />
        <div role="status" aria-label="Payment link" aria-atomic="false">
          {made !== undefined && (
            <CreatedLink
              key={made.reference}
              link={made}
              onNew={startAgain}
              {...(tools === undefined ? {} : { tools })}
            />
          )}
        </div>
      </div>
    </>
  )
}
