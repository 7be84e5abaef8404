import { t } from '@lingui/core/macro'
import { useState } from 'react'

import { asRequestError } from '../../api/request-error.ts'
import { useCreatePayment } from '../../api/payments.ts'
import { copiedText, copyFailedText, copyText } from '../../lib/device/clipboard.ts'
import { paths } from '../../lib/paths.ts'
import { useGo } from '../../lib/navigation/navigate.ts'
import { chooseTheme } from '../../lib/display/theme.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { type Charge, chargedProject, type Command, readCharge, type PaletteContext } from './commands.ts'

/** Does what was chosen; `isBusy` while a link is being made. */
export function useRun({
  text,
  paletteContext,
  onClose,
  onShortcuts,
}: {
  text: string
  paletteContext: PaletteContext
  onClose: () => void
  onShortcuts: () => void
}) {
  const go = useGo()
  const create = useCreatePayment()
  const [isBusy, setBusy] = useState(false)
  /** The form of the page shows the open link and lets it be used or replaced. */
  const askOnPage = (projectId: number, { amountInUSD: amount, customerEmail: email }: Charge) => {
    go(paths.createPayment({ projectId }, { amount, email }))
    onClose()
  }
  const charge = async () => {
    const wanted = readCharge(text)
    const project = chargedProject(paletteContext)
    if (wanted === undefined || project === undefined || isBusy) return
    setBusy(true)
    try {
      const customerID = wanted.customerEmail.toLowerCase()
      const { url, reference_id: reference } = await create(String(project.id), { ...wanted, customerID })
      const isCopied = await copyText(url)
      const label = t`payment link`
      toast.success(isCopied ? copiedText(label) : copyFailedText(label))
      go(paths.payments({ projectId: project.id }, { open: reference }))
      onClose()
    } catch (thrown) {
      const { code, message, details } = asRequestError(thrown)
      if (code === 'CUSTOMER_HAS_OPEN_LINK') return askOnPage(project.id, wanted)
      toast.error(details ?? message)
    } finally {
      setBusy(false)
    }
  }
  const run = ({ href, run: action }: Command) => {
    if (action === 'charge') return void charge()
    onClose()
    if (href !== undefined) go(href)
    if (action === 'shortcuts') onShortcuts()
    else if (action !== undefined) chooseTheme(action)
  }
  return { run, isBusy }
}
