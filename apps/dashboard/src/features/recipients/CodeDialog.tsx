import type { Recipient } from '@kassa/contract/recipients/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'

import { configurationQuery } from '../../api/configuration.ts'
import { failureOf } from '../../api/form-failure.ts'
import { meQuery } from '../../api/me.ts'
import { useRecipientChanges } from '../../api/recipients.ts'
import { useRequestForm } from '../../api/request-form.ts'
import { networkName } from '../../labels/networks/network-name.ts'
import { paths } from '../../lib/paths.ts'
import { Button } from '../../ui/actions/Button.tsx'
import { TextLink } from '../../ui/actions/TextLink.tsx'
import { Address } from '../../ui/facts/Address.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { TextField } from '../../ui/fields/TextField.tsx'
import { FormDialog } from '../../ui/forms/FormDialog.tsx'

/** A mail needs a moment; who presses again at once has not looked yet. */
const RESEND_AFTER_SECONDS = 30

/** Asks for the code that was mailed, beside the whole address that it verifies. */
export function CodeDialog({ recipient, onClose }: { recipient: Recipient; onClose: () => void }) {
  const { verify, sendCode } = useRecipientChanges()
  const { data: me } = useQuery(meQuery)
  const { data: configuration } = useQuery(configurationQuery)
  const isInSandbox = configuration?.features.sandbox === true && !configuration.features.smtp
  const code = useRef<HTMLInputElement>(null)
  const [wait, setWait] = useState(RESEND_AFTER_SECONDS)
  const { form, failure } = useRequestForm(
    { otpCode: '' },
    ({ otpCode }) => (/^\d{6}$/.test(otpCode.trim()) ? {} : { otpCode: t`The code has 6 digits` }),
    async ({ otpCode }) => {
      await verify(recipient.id, otpCode.trim())
      toast.success(t`${recipient.name} can be paid`)
      onClose()
    },
  )
  useEffect(() => {
    if (wait === 0) return undefined
    const timer = setTimeout(() => setWait(wait - 1), 1000)
    return () => clearTimeout(timer)
  }, [wait])
  const resend = async () => {
    const refused = await failureOf(() => sendCode(recipient.id))
    if (refused !== undefined) return toast.error(refused)
    toast.success(t`A new code is on its way; the one before stops working`)
    setWait(RESEND_AFTER_SECONDS)
    code.current?.focus()
  }
  const email = me?.email ?? ''
  const network = networkName(recipient.blockchainCode)
  const { name } = recipient
  return (
    <FormDialog
      title={t`Verify ${name}`}
      save={t`Verify`}
      cancel={t`Later`}
      isSafe
      sending={form.sending}
      failure={failure}
      onSubmit={form.onSubmit}
      onClose={onClose}
      initialFocus={code}
    >
      <p className="text-body">
        <Trans>
          A code was mailed to {email}. Compare the address with the one you were given, letter by letter, before you
          type it.
        </Trans>
      </p>
      {isInSandbox && (
        <p className="text-body">
          <Trans>
            This sandbox has no mail server:{' '}
            <TextLink href={paths.sandboxMail()} newTab>
              it kept the e-mail
            </TextLink>
            .
          </Trans>
        </p>
      )}
      <div className="flex flex-col gap-1 text-body">
        <span className="font-medium">
          <Trans>Address on {network}</Trans>
        </span>
        <Address value={recipient.address} full />
      </div>
      <TextField
        {...form.field('otpCode')}
        ref={code}
        label={t`Code`}
        inputMode="numeric"
        autoComplete="one-time-code"
        mono
        hint={t`6 digits. It works once, for 10 minutes.`}
      />
      <div>
        <Button disabled={wait > 0} onClick={() => void resend()}>
          {wait > 0 ? <Trans>Send again in {wait} s</Trans> : <Trans>Send again</Trans>}
        </Button>
      </div>
    </FormDialog>
  )
}
