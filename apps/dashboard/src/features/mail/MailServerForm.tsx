import type { MailServer, MailTest } from '@kassa/contract/mail/schemas.ts'
import { useState } from 'react'

import { formFailure } from '../../api/form-failure.ts'
import { useRemoveMailServer, useSaveMailServer, useTestMailServer } from '../../api/mail.ts'
import { useForm } from '../../lib/form.ts'
import { Banner } from '../../ui/Banner.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { NumberField } from '../../ui/NumberField.tsx'
import { PasswordField } from '../../ui/PasswordField.tsx'
import { Select } from '../../ui/Select.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { toast } from '../../ui/toast.ts'
import { ENCRYPTION_OPTIONS } from './encryption-names.ts'
import { mailErrors, mailRequest, type MailValues, mailValues, withEncryption } from './mail-form.ts'
import { TestResult } from './TestResult.tsx'

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
        await save(mailRequest(values))
        toast.success('Mail server saved')
      } catch (thrown) {
        const { fields, text } = formFailure(thrown, Object.keys(values))
        setFailure(text)
        return fields
      }
    },
  })
  const trial = useTrial(form.values)
  return (
    <Card title="Mail server">
      <form noValidate onSubmit={form.onSubmit} className="flex flex-col gap-4">
        {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
        <div className="grid gap-4 sm:grid-cols-[1fr_8rem]">
          <TextField {...form.field('host')} label="Host" isRequired mono placeholder="smtp.example.com" />
          <NumberField {...form.field('port')} label="Port" isRequired min={1} max={65_535} step={1} />
        </div>
        <Select
          {...form.field('encryption')}
          label="Encryption"
          options={ENCRYPTION_OPTIONS}
          onChange={(encryption) => form.set(withEncryption(form.values, encryption))}
        />
        <TextField
          {...form.field('username')}
          label="User name"
          autoComplete="off"
          hint="Often the whole e-mail address. Empty: no sign-in."
        />
        <PasswordField
          {...form.field('password')}
          label="Password"
          autoComplete="new-password"
          hint={server?.passwordSet ? 'Saved. Type another one to replace it.' : undefined}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField {...form.field('from')} label="From" isRequired type="email" placeholder="payments@shop.example" />
          <TextField {...form.field('fromName')} label="From name" placeholder="Kassa" />
        </div>
        <TextField {...form.field('replyTo')} label="Reply-to" type="email" hint="Where answers go. Empty: to From." />
        {trial.result && <TestResult result={trial.result} />}
        {trial.failure !== undefined && <Banner tone="danger">{trial.failure}</Banner>}
        <div className="flex flex-wrap items-center justify-end gap-2">
          {server && <RemoveButton host={server.host} />}
          <Button onClick={() => void trial.run()} loading={trial.isRunning} disabled={form.sending}>
            Send test e-mail
          </Button>
          <Button kind="primary" type="submit" loading={form.sending}>
            Save
          </Button>
        </div>
      </form>
    </Card>
  )
}

/** Tries the form's values without storing them. */
function useTrial(values: MailValues) {
  const test = useTestMailServer()
  const [isRunning, setRunning] = useState(false)
  const [result, setResult] = useState<MailTest>()
  const [failure, setFailure] = useState<string>()
  const run = async () => {
    setResult(undefined)
    const [first] = Object.values(mailErrors(values))
    setFailure(first)
    if (first !== undefined) return
    setRunning(true)
    try {
      setResult(await test(mailRequest(values)))
    } catch (thrown) {
      const { fields, text } = formFailure(thrown, Object.keys(values))
      setFailure(text ?? Object.values(fields)[0])
    } finally {
      setRunning(false)
    }
  }
  return { isRunning, result, failure, run }
}

function RemoveButton({ host }: { host: string }) {
  const remove = useRemoveMailServer()
  const [isAsked, setAsked] = useState(false)
  const confirm = async () => {
    try {
      await remove()
      toast.success('Mail server removed')
    } catch (thrown) {
      setAsked(false)
      toast.error(formFailure(thrown, []).text ?? '')
    }
  }
  return (
    <>
      <Button kind="quiet" onClick={() => setAsked(true)}>
        Remove
      </Button>
      {isAsked && (
        <ConfirmDialog
          title="Remove the mail server?"
          action="Remove"
          keep="Keep it"
          onConfirm={confirm}
          onClose={() => setAsked(false)}
        >
          Kassa sends no mails any more, and the password for {host} is forgotten.
        </ConfirmDialog>
      )}
    </>
  )
}
