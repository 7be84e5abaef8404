import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useRef, useState } from 'react'
import type { PointerEvent } from 'react'

import { Button } from '../../../ui/actions/Button.tsx'
import { Dialog } from '../../../ui/overlays/Dialog.tsx'
import { Slider } from '../../../ui/fields/Slider.tsx'
import { toast } from '../../../ui/feedback/toast.ts'
import { cutSquare, dragged, MIDDLE, MOST_ZOOM, squareOf } from './crop.ts'
import type { Picture } from './crop.ts'

export type CropDialogProps = {
  readonly picture: Picture
  readonly onCut: (file: File) => void
  readonly onClose: () => void
}

const HUNDRED = 100

/** Chooses a square of a picture: by sliders, or by dragging it in its frame. */
export function CropDialog({ picture, onCut, onClose }: CropDialogProps) {
  const [crop, setCrop] = useState(MIDDLE)
  const [cutting, setCutting] = useState(false)
  const cutButton = useRef<HTMLButtonElement>(null)
  const { left, top, side } = squareOf(picture, crop)

  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (event.buttons === 0) return
    const { offsetWidth } = event.currentTarget
    const by = { x: event.movementX / offsetWidth, y: event.movementY / offsetWidth }
    setCrop((before) => dragged(picture, before, by))
  }
  const cut = async () => {
    setCutting(true)
    const file = await cutSquare(picture, crop).catch(() => undefined)
    if (file === undefined) toast.error(t`This browser could not cut the picture. It stays as it is.`)
    else onCut(file)
    onClose()
  }
  const percent = (name: 'across' | 'down') => ({
    value: Math.round(crop[name] * HUNDRED),
    min: 0,
    max: HUNDRED,
    onChange: (value: number) => setCrop({ ...crop, [name]: value / HUNDRED }),
  })

  return (
    <Dialog
      title={t`Cut a square`}
      size={400}
      locked={cutting}
      initialFocus={cutButton}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>
            <Trans>Keep as it is</Trans>
          </Button>
          <Button ref={cutButton} kind="primary" loading={cutting} onClick={() => void cut()}>
            <Trans>Use square</Trans>
          </Button>
        </>
      }
    >
      <div
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        className="mx-auto aspect-square w-full max-w-64 cursor-grab touch-none overflow-hidden rounded-card border border-border bg-sunken active:cursor-grabbing"
      >
        <img
          src={picture.src}
          alt={t`The square that is used`}
          draggable={false}
          style={{
            inlineSize: `${(picture.width / side) * HUNDRED}%`,
            transform: `translate(${(-left / picture.width) * HUNDRED}%, ${(-top / picture.height) * HUNDRED}%)`,
          }}
          className="max-w-none"
        />
      </div>
      <div className="mt-5 flex flex-col gap-4">
        <Slider
          label={t`Zoom`}
          min={1}
          max={MOST_ZOOM}
          step={0.1}
          value={crop.zoom}
          onChange={(zoom) => setCrop({ ...crop, zoom })}
        />
        <Slider label={t`Left to right`} {...percent('across')} />
        <Slider label={t`Top to bottom`} {...percent('down')} />
      </div>
    </Dialog>
  )
}
