import { Suspense, useState } from 'react'
import type { ReactNode } from 'react'

import { useFactorChanges } from '../../../api/second-factor.ts'
import { lazyLayer } from '../../../ui/overlays/lazy-load.ts'

const TotpDialog = lazyLayer(async () => ({ default: (await import('./TotpDialog.tsx')).TotpDialog }))
const PasskeyDialog = lazyLayer(async () => ({ default: (await import('./PasskeyDialog.tsx')).PasskeyDialog }))
const BackupCodesDialog = lazyLayer(async () => ({
  default: (await import('./BackupCodesDialog.tsx')).BackupCodesDialog,
}))

type Open = 'totp' | 'passkey' | { readonly codes: readonly string[] }

/** The dialogs of an enrolment: open one, and draw what is open. What is on screen changes when the codes were read. */
export function useEnrolment(): {
  readonly open: (next: Open) => void
  readonly dialog: ReactNode
} {
  const [open, setOpen] = useState<Open>()
  const { refresh } = useFactorChanges()
  const close = () => {
    setOpen(undefined)
    void refresh()
  }
  const onAdded = (codes: readonly string[] | null) => (codes === null ? close() : setOpen({ codes }))
  // Also when nothing was said to be added: the answer to it may have been lost.
  const dialog = (
    <Suspense>
      {open === 'totp' && <TotpDialog onAdded={onAdded} onClose={close} />}
      {open === 'passkey' && <PasskeyDialog onAdded={onAdded} onClose={close} />}
      {typeof open === 'object' && <BackupCodesDialog codes={open.codes} onClose={close} />}
    </Suspense>
  )
  return { open: setOpen, dialog }
}
