import { Ellipsis } from 'lucide-react'

/** The button of a row's menu; the menu itself is one for the whole table. */
export function RowMenuButton({ label, menuId, onOpen }: { label: string; menuId: string; onOpen: () => void }) {
  return (
    <button
      type="button"
      aria-label={label}
      popoverTarget={menuId}
      onClick={onOpen}
      className="relative inline-flex size-8 items-center justify-center rounded-control text-muted hover:bg-sunken hover:text-ink coarse:size-11"
    >
      <Ellipsis aria-hidden size={16} strokeWidth={1.75} />
    </button>
  )
}
