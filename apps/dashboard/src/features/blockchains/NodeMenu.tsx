import type { Node } from '@kassa/contract/blockchains/schemas.ts'
import { ArrowUp, Ellipsis, Pencil, Power, Trash2 } from 'lucide-react'
import { useId } from 'react'

import { IconButton } from '../../ui/IconButton.tsx'
import { Menu } from '../../ui/Menu.tsx'
import type { MenuItem } from '../../ui/Menu.tsx'

export type NodeAction = 'edit' | 'prefer' | 'turn-off' | 'turn-on' | 'remove'

/** What can be done with one node. */
export function NodeMenu({ node, onAct }: { node: Node; onAct: (action: NodeAction) => void }) {
  const id = useId()
  const { isActive, isPreferred } = node
  const items: MenuItem[] = [
    { label: 'Edit', icon: <Pencil aria-hidden />, onSelect: () => onAct('edit') },
    ...(isActive && !isPreferred
      ? [{ label: 'Ask first', icon: <ArrowUp aria-hidden />, onSelect: () => onAct('prefer') }]
      : []),
    isActive
      ? { label: 'Turn off', icon: <Power aria-hidden />, onSelect: () => onAct('turn-off') }
      : { label: 'Turn on', icon: <Power aria-hidden />, onSelect: () => onAct('turn-on') },
    { label: 'Remove', icon: <Trash2 aria-hidden />, danger: true, divided: true, onSelect: () => onAct('remove') },
  ]
  return (
    <>
      <IconButton label={`Actions for ${node.url}`} icon={<Ellipsis aria-hidden />} popoverTarget={id} />
      <Menu id={id} label={`Actions for ${node.url}`} items={items} atEnd />
    </>
  )
}
