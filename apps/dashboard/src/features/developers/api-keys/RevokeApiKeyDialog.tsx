import type { ApiKey } from '@kassa/contract/api-keys/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { SubmitEvent } from 'react'

import { useRevokeApiKey } from '../../../api/api-keys.ts'
import { formFailure } from '../../../api/form-failure.ts'
import { Banner } from '../../../ui/feedback/Banner.tsx'
import { Button } from '../../../ui/actions/Button.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { TextField } from '../../../ui/fields/TextField.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { useProjectName } from '../choices/project-options.ts'
import { keyName, lastUseText } from './api-key-states.ts'

/** Ends a key for good, after its name was typed. */
export function RevokeApiKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const revoke = useRevokeApiKey()
  const projectName = useProjectName()
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const [sending, setSending] = useState(false)
  const name = keyName(apiKey)
  const project = projectName(apiKey.externalPlatformID)

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (sending) return
    if (typed.trim() !== name) return setError(t`Type ${name} to confirm`)
    setSending(true)
    setFailure(undefined)
    try {
      await revoke(apiKey)
      toast.success(t`API key revoked`)
      onClose()
    } catch (thrown) {
      setFailure(formFailure(thrown, []).text)
    } finally {
      setSending(false)
    }
  }

  const foot = (
    <>
      <Button onClick={onClose} disabled={sending}>
        <Trans>Cancel</Trans>
      </Button>
      <Button kind="danger" type="submit" form="revoke-api-key" loading={sending}>
        <Trans>Revoke key</Trans>
      </Button>
    </>
  )
  return (
    <Dialog title={t`Revoke “${name}”`} size={400} locked={sending} onClose={onClose} foot={foot}>
      <form id="revoke-api-key" noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        {failure !== undefined && <Banner tone="danger">{failure}</Banner>}
        <ul className="list-disc ps-5 text-body">
          <li>
            <Trans>Programs of {project} that use it are refused at once.</Trans>
          </li>
          <li>
            <Trans>A revoked key never comes back.</Trans>
          </li>
          <li>{lastUseText(apiKey)}</li>
        </ul>
        <TextField
          label={t`Type ${name} to confirm`}
          name="typed"
          value={typed}
          error={error}
          isRequired
          onChange={(value) => {
            setTyped(value)
            setError(undefined)
          }}
        />
      </form>
    </Dialog>
  )
}
