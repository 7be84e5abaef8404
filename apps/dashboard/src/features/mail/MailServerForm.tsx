import type { MailServer } from '@kassa/contract/mail/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'

import { formFailure } from '../../api/form-failure.ts'
import { useRemoveMailServer, useSaveMailServer } from '../../api/mail.ts'
import { useForm } from '../../lib/forms/form.ts'
import { useTakenIn } from '../../lib/forms/useTakenIn.ts'
import { Banner } from '../../ui/feedback/Banner.tsx'
import { Button } from '../../ui/actions/Button.tsx'
import { Card } from '../../ui/places/Card.tsx'
import { ConfirmDialog } from '../../ui/overlays/ConfirmDialog.tsx'
import { NumberField } from '../../ui/fields/NumberField.tsx'
import { PasswordField } from '../../ui/fields/PasswordField.tsx'
import { Select } from '../../ui/fields/Select.tsx'
import { TextField } from '../../ui/fields/TextField.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { encryptionOptions } from './encryption-names.ts'
import { mailErrors, mailRequest, type MailValues, mailValues, withEncryption } from './mail-form.ts'
import { TestResult } from './TestResult.tsx'
import { useTrial } from './useTrial.ts'

/** The mail server's values: tried before they are stored, stored, or forgotten. */
export function MailServerForm({ server }: { server: MailServer | null }) {
  const save = useSaveMailServer()
  const [failure, setFailure] = useState<string>()
  const form = useForm<MailValues>({
    initial: mailValues(server),
    validate: mailErrors,
    submit: async (values) => {
      setFailure(undefined)
      try {
        // The server trims what was typed, and shows no password.
        absorbAnswer(values, mailValues(await save(mailRequest(values), server)))
        toast.success(t`Mail server saved`)
      } catch (thrown) {
        const { fields, text } = formFailure(thrown, Object.keys(values))
        setFailure(text)
        return fields
      }
    },
  })
  const { isOvertaken, absorbAnswer } = useTakenIn(form, mailValues(server))
  const trial = useTrial(form.values)
  const clear = () => {
    form.set(mailValues(null))
    setFailure(undefined)
    trial.clear()
  }
  return (
    <Card title={t`Mail server`}>
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
        {isOvertaken && (
          <Banner tone="warning">
            <Trans>
              Somebody else changed the mail server meanwhile. What you typed is kept: read it before you save.
            </Trans>
          </Banner>
        )}
        <div className="grid gap-4 sm:grid-cols-[1fr_8rem]">
          <TextField {...form.field('host')} label={t`Host`} mono placeholder="smtp.example.com" />
          <NumberField {...form.field('port')} label={t`Port`} min={1} max={65_535} step={1} />
        </div>
        <Select
          {...form.field('encryption')}
          label={t`Encryption`}
          options={encryptionOptions()}
          onChange={(encryption) => form.set(withEncryption(form.values, encryption))}
        />
        <TextField
          {...form.field('username')}
          label={t`User name`}
          autoComplete="off"
          hint={t`Often the whole e-mail address. Empty: no sign-in.`}
        />
        <PasswordField
          {...form.field('password')}
          label={t`Password`}
          autoComplete="new-password"
          hint={server?.passwordSet ? t`Saved. Type another one to replace it.` : undefined}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            {...form.field('from')}
            label={t({ message: 'From', context: 'mail', comment: 'the address a mail comes from' })}
            type="email"
            placeholder="payments@shop.example"
          />
          <TextField {...form.field('fromName')} label={t`From name`} placeholder="Kassa" />
        </div>
        <TextField
          {...form.field('replyTo')}
          label={t`Reply-to`}
          type="email"
          hint={t`Where answers go. Empty: to From.`}
        />
        {trial.result && <TestResult result={trial.result} />}
        {trial.failure !== undefined && <Banner tone="danger">{trial.failure}</Banner>}
        <div className="flex flex-wrap items-center justify-end gap-2">
          {server && <RemoveButton host={server.host} onRemoved={clear} />}
          <Button onClick={() => void trial.run()} loading={trial.isRunning} disabled={form.sending}>
            <Trans>Send test e-mail</Trans>
          </Button>
          <Button kind="primary" type="submit" loading={form.sending}>
            <Trans>Save</Trans>
          </Button>
        </div>
      </form>
    </Card>
  )
}

function RemoveButton({ host, onRemoved }: { host: string; onRemoved: () => void }) {
  const remove = useRemoveMailServer()
  const [isAsked, setAsked] = useState(false)
  const confirm = async () => {
    try {
      await remove()
      onRemoved()
      toast.success(t`Mail server removed`)
    } catch (thrown) {
      setAsked(false)
      toast.error(formFailure(thrown, []).text ?? '')
    }
  }
  return (
    <>
      <Button kind="quiet" onClick={() => setAsked(true)}>
        <Trans>Remove</Trans>
      </Button>
      {isAsked && (
        <ConfirmDialog
          title={t`Remove the mail server?`}
          action={t`Remove`}
          onConfirm={confirm}
          onClose={() => setAsked(false)}
        >
          <Trans>Kassa sends no mails any more, and the password for {host} is forgotten.</Trans>
        </ConfirmDialog>
      )}
    </>
  )
}
