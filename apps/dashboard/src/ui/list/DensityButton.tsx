import { t } from '@lingui/core/macro'
import { Rows3, Rows4 } from 'lucide-react'

import type { Density } from '../../lib/display/density.ts'
import { IconButton } from '../actions/IconButton.tsx'

/** Switches between comfortable and compact rows; a finger always gets comfortable ones. */
export function DensityButton({ density, onChange }: { density: Density; onChange: (density: Density) => void }) {
  const isCompact = density === 'compact'
  const Icon = isCompact ? Rows4 : Rows3
  return (
    <span className="coarse:hidden">
      <IconButton
        label={t`Compact rows`}
        icon={<Icon aria-hidden strokeWidth={1.75} />}
        pressed={isCompact}
        onClick={() => onChange(isCompact ? 'comfortable' : 'compact')}
      />
    </span>
  )
}
