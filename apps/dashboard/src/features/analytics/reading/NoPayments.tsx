import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'

import { useCan } from '../../../api/me.ts'
import { paths } from '../../../lib/paths.ts'
import { TextLink } from '../../../ui/actions/TextLink.tsx'

/** A card without payments: what is so, and the way to the first one. */
export function NoPayments({ projectId, children }: { projectId: string; children: ReactNode }) {
  const can = useCan()
  return (
    <p className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1 text-body text-muted">
      <span>{children}</span>
      {can('payment:create', projectId) && (
        <TextLink href={paths.createPayment({ projectId })}>
          <Trans>Create link</Trans>
        </TextLink>
      )}
    </p>
  )
}
