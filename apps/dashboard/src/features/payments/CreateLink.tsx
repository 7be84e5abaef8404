import type { PaymentDetail } from '@kassa/contract/payments/schemas.ts'
import { t } from '@lingui/core/macro'
import { Suspense, useState } from 'react'
import type { ReactNode } from 'react'

import { lazyPart } from '../../ui/overlays/lazy-load.ts'
import { PageHead } from '../../ui/places/PageHead.tsx'
import { LoadingText, Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { Tabs } from '../../ui/actions/Tabs.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { CreatedLink } from './create/CreatedLink.tsx'
import type { NewLink } from './create/CreatedLink.tsx'
import { CreateLinkForm } from './create/CreateLinkForm.tsx'

const BulkLinks = lazyPart(async () => {
  const part = await import('./bulk-create/BulkLinks.tsx')
  return { default: part.BulkLinks }
})

export type CreateLinkProps = {
  readonly projectId: string
  /** What only a sandbox offers for the link that was made. */
  readonly tools?: (payment: PaymentDetail) => ReactNode
}

/** Creates one link and copies it, or many links from a file. */
export function CreateLink({ projectId, tools }: CreateLinkProps) {
  return (
    <>
      <PageHead title={t`Create payment link`} />
      <Tabs
        label={t`How many`}
        tabs={[
          { id: 'single', label: t`One link` },
          { id: 'bulk', label: t`Many from CSV` },
        ]}
      >
        {(tab) =>
          tab === 'bulk' ? (
            <Suspense fallback={<Loading />}>
              <BulkLinks key={projectId} projectId={projectId} />
            </Suspense>
          ) : (
            <OneLink projectId={projectId} {...(tools === undefined ? {} : { tools })} />
          )
        }
      </Tabs>
    </>
  )
}

/** Amount, customer, Enter. Beside it, what becomes of the link. */
function OneLink({ projectId, tools }: CreateLinkProps) {
  const [made, setMade] = useState<NewLink>()
  const [round, setRound] = useState(0)
  const [repeats, setRepeats] = useState(0)
  const pointToIt = () => {
    setRepeats(repeats + 1)
    toast.success(t`This link has been created already. “New link” starts another.`)
  }
  const startAgain = () => {
    setMade(undefined)
    setRound(round + 1)
  }
  return (
    <div className="grid items-start gap-6 md:grid-cols-2">
      {/* Where there is no room beside it the link stands alone, until “New link” brings the form back. */}
      <div className={made === undefined ? '' : 'max-md:hidden'}>
        <CreateLinkForm
          key={`${projectId}-${round}`}
          projectId={projectId}
          made={made?.reference}
          onMade={setMade}
          onRepeat={pointToIt}
        />
      </div>
      <div role="status" aria-label={t`Payment link`} aria-atomic="false">
        {made !== undefined && (
          <CreatedLink
            key={made.reference}
            link={made}
            repeats={repeats}
            onNew={startAgain}
            {...(tools === undefined ? {} : { tools })}
          />
        )}
      </div>
    </div>
  )
}

function Loading() {
  return (
    <>
      <Skeleton height={220} />
      <LoadingText text={t`Loading`} />
    </>
  )
}
