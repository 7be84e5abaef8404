import { STEP_UP_LINES, type StepUpLines } from '@kassa/contract/auth/step-up-lines.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'

import { reasonText, type Words } from '../../labels/reason-text.ts'
import { Banner } from '../../ui/feedback/Banner.tsx'
import type { Description } from './use-description.ts'

const LINES: Words<StepUpLines> = {
  wallet_linked: ({ project, family, wallet, fingerprint }) =>
    t`Customers of ${project} get their addresses of ${family} from the wallet “${wallet}” (key ${fingerprint}).`,
  wallet_replaced: ({ project, family, former, wallet, fingerprint }) =>
    t`New customers of ${project} get their addresses of ${family} from the wallet “${wallet}” (key ${fingerprint}), no longer from “${former}”.`,
  customers_keep_addresses: () => t`Customers who have an address keep it.`,
  hot_wallet_created: ({ family, wallet, purposes, limit }) => {
    const purpose = purposeText(purposes)
    return t`The server makes a key of ${family} for ${purpose}, the hot wallet “${wallet}”, and can spend what lies there (limit $${limit}).`
  },
  hot_wallet_imported: ({ family, wallet, purposes, limit, address }) => {
    const purpose = purposeText(purposes)
    return t`The server keeps the key of ${address} (${family}) for ${purpose}, as the hot wallet “${wallet}”, and can spend what lies there (limit $${limit}).`
  },
}

function purposeText(purposes: 'gas' | 'payout' | 'both'): string {
  if (purposes === 'both') return t`network fees and payouts`
  return purposes === 'gas' ? t`network fees` : t`payouts`
}

/** What the server says will happen, line by line: the proof holds for exactly that. `children` stand where it says nothing. */
export function WhatHappens({ description, children }: { description: Description; children: ReactNode }) {
  const { action, failure } = description
  const lines = action?.display.lines ?? []
  return (
    <>
      {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
      {lines.length === 0 ? (
        <p className="text-body text-muted">{children}</p>
      ) : (
        <div className="flex flex-col gap-2 text-body">
          <p className="text-muted">
            <Trans>This is what will happen. What you confirm is exactly this.</Trans>
          </p>
          <ul className="list-disc ps-5">
            {lines.map((line) => (
              <li key={`${line.code} ${line.text}`} className="break-words">
                {reasonText(STEP_UP_LINES, LINES, line)}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}
