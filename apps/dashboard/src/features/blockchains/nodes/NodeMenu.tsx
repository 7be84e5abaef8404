import type { Node } from '@kassa/contract/blockchains/schemas.ts'
import { t } from '@lingui/core/macro'
import { ArrowUp, Ellipsis, Pencil, Power, Trash2 } from 'lucide-react'
import { useId } from 'react'

import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { Menu } from '../../../ui/actions/Menu.tsx'
import type { MenuItem } from '../../../ui/actions/Menu.tsx'

export type NodeAction = 'edit' | 'prefer' | 'turn-off' | 'turn-on' | 'remove'

/** What can be done with one node. */
export function NodeMenu({ node, onAct }: { node: Node; onAct: (action: NodeAction) => void }) {
  const id = useId()
  const { url, isActive, isPreferred } = node
  const items: MenuItem[] = [
    { label: t`Edit`, icon: <Pencil aria-hidden />, onSelect: () => onAct('edit') },
    ...(isActive && !isPreferred
      ? [{ label: t`Ask first`, icon: <ArrowUp aria-hidden />, onSelect: () => onAct('prefer') }]
      : []),
    isActive
      ? { label: t`Turn off`, icon: <Power aria-hidden />, onSelect: () => onAct('turn-off') }
      : { label: t`Turn on`, icon: <Power aria-hidden />, onSelect: () => onAct('turn-on') },
    { label: t`Remove`, icon: <Trash2 aria-hidden />, danger: true, divided: true, onSelect: () => onAct('remove') },
  ]
  return (
    <>
      <IconButton label={t`Actions for ${url}`} icon={<Ellipsis aria-hidden />} popoverTarget={id} />
      <Menu id={id} label={t`Actions for ${url}`} items={items} atEnd />
    </>
  )
}
