import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'

import { PageHead } from '../../ui/places/PageHead.tsx'
import { SecondFactors } from './SecondFactors.tsx'
import { SignedInDevices } from './SignedInDevices.tsx'

/** How the operator's own access is protected. */
export function Security({ password }: { password: ReactNode }) {
  return (
    <div className="max-w-[640px]">
      <PageHead title={t`Security`} text={t`Your own access to Kassa.`} />
      <div className="flex flex-col gap-4">
        {password}
        <SecondFactors />
        <SignedInDevices />
      </div>
    </div>
  )
}
