import type { ApiKey, ChangedApiKey } from '@kassa/contract/api-keys/schemas.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'

import { useActOnApiKey } from '../../../api/api-keys.ts'
import { failureOf } from '../../../api/form-failure.ts'
import { ConfirmDialog } from '../../../ui/overlays/ConfirmDialog.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import type { ApiKeyAct } from './ApiKeyMenu.tsx'
import { keyName, lastUseText } from './api-key-states.ts'
import { EditApiKeyDialog } from './EditApiKeyDialog.tsx'
import { RevokeApiKeyDialog } from './RevokeApiKeyDialog.tsx'
import { RotateApiKeyDialog } from './RotateApiKeyDialog.tsx'

export type ApiKeyDialogsProps = {
  readonly apiKey: ApiKey
  readonly act: ApiKeyAct
  readonly onClose: () => void
  readonly onRotated: (key: ChangedApiKey) => void
}

/** What an action on a key asks before it happens. */
export function ApiKeyDialogs({ apiKey, act, onClose, onRotated }: ApiKeyDialogsProps) {
  if (act === 'edit') return <EditApiKeyDialog apiKey={apiKey} onClose={onClose} />
  if (act === 'rotate') return <RotateApiKeyDialog apiKey={apiKey} onClose={onClose} onRotated={onRotated} />
  if (act === 'revoke') return <RevokeApiKeyDialog apiKey={apiKey} onClose={onClose} />
  return <SwitchDialog apiKey={apiKey} act={act} onClose={onClose} />
}

type SwitchDialogProps = {
  readonly apiKey: ApiKey
  readonly act: 'activate' | 'deactivate'
  readonly onClose: () => void
}

function SwitchDialog({ apiKey, act, onClose }: SwitchDialogProps) {
  const actOn = useActOnApiKey()
  const name = keyName(apiKey)
  const isOff = act === 'deactivate'
  const confirm = async () => {
    const failure = await failureOf(() => actOn(apiKey, act))
    if (failure === undefined) toast.success(isOff ? t`API key turned off` : t`API key turned on`)
    else toast.error(failure)
    onClose()
  }
  return (
    <ConfirmDialog
      title={isOff ? t`Turn off “${name}”?` : t`Turn on “${name}”?`}
      action={isOff ? t`Turn off` : t`Turn on`}
      danger={isOff}
      onConfirm={confirm}
      onClose={onClose}
    >
      {isOff ? (
        <p>
          <Trans>Programs that use it are refused at once, until you turn it on again.</Trans> {lastUseText(apiKey)}
        </p>
      ) : (
        <p>
          <Trans>Programs that use it are let in again at once.</Trans>
        </p>
      )}
    </ConfirmDialog>
  )
}
