import type { ApiKey } from '@kassa/contract/api-keys/schemas.ts'
import { t } from '@lingui/core/macro'
import { Ellipsis, Pencil, Power, RefreshCw, Trash2 } from 'lucide-react'
import { useId } from 'react'

import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { Menu } from '../../../ui/actions/Menu.tsx'
import type { MenuItem } from '../../../ui/actions/Menu.tsx'
import { keyName } from './api-key-states.ts'

export type ApiKeyAct = 'edit' | 'rotate' | 'activate' | 'deactivate' | 'revoke'

/** What can be done with one key. */
export function ApiKeyMenu({ apiKey, onAct }: { apiKey: ApiKey; onAct: (act: ApiKeyAct) => void }) {
  const id = useId()
  const name = keyName(apiKey)
  const items: MenuItem[] = [
    { label: t`Edit`, icon: <Pencil aria-hidden />, onSelect: () => onAct('edit') },
    { label: t`Rotate`, icon: <RefreshCw aria-hidden />, onSelect: () => onAct('rotate') },
    apiKey.status === 'active'
      ? { label: t`Turn off`, icon: <Power aria-hidden />, onSelect: () => onAct('deactivate') }
      : { label: t`Turn on`, icon: <Power aria-hidden />, onSelect: () => onAct('activate') },
    { label: t`Revoke`, icon: <Trash2 aria-hidden />, danger: true, divided: true, onSelect: () => onAct('revoke') },
  ]
  return (
    <>
      <IconButton label={t`Actions for ${name}`} icon={<Ellipsis aria-hidden />} popoverTarget={id} />
      <Menu id={id} label={t`Actions for ${name}`} items={items} atEnd />
    </>
  )
}
