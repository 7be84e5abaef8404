import { t } from '@lingui/core/macro'
import { ArrowDown, ArrowUp, Ellipsis, EyeOff } from 'lucide-react'
import { useId } from 'react'

import { IconButton } from '../../../ui/actions/IconButton.tsx'
import { Menu } from '../../../ui/actions/Menu.tsx'

export type GroupMenuProps = {
  readonly name: string
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly onMove: (by: 1 | -1) => void
  readonly onHide: () => void
}

/** Moves and hides a group, for this operator alone. */
export function GroupMenu({ name, isFirst, isLast, onMove, onHide }: GroupMenuProps) {
  const id = useId()
  return (
    <div>
      <IconButton label={t`Arrange ${name}`} icon={<Ellipsis aria-hidden />} popoverTarget={id} />
      <Menu
        id={id}
        label={t`Arrange ${name}`}
        atEnd
        items={[
          {
            label: t`Move up`,
            icon: <ArrowUp aria-hidden />,
            onSelect: () => onMove(-1),
            offReason: isFirst ? t`It is the first.` : undefined,
          },
          {
            label: t`Move down`,
            icon: <ArrowDown aria-hidden />,
            onSelect: () => onMove(1),
            offReason: isLast ? t`It is the last.` : undefined,
          },
          { label: t`Hide`, icon: <EyeOff aria-hidden />, onSelect: onHide, divided: true },
        ]}
      />
    </div>
  )
}
