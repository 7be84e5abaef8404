/** A picture as the browser has read it, in its own pixels. */
export type Picture = { readonly src: string; readonly width: number; readonly height: number }

/** Which square of a picture: how near, and where in the room that is left, from 0 to 1. */
export type Crop = { readonly zoom: number; readonly across: number; readonly down: number }

/** The whole of the shorter side, from the middle. */
export const MIDDLE: Crop = { zoom: 1, across: 0.5, down: 0.5 }

/** Nearer than this a logo is a few pixels. */
export const MOST_ZOOM = 4

/** The server makes logos no larger than this (api.md 1.8). */
const MOST_PIXELS = 512

/** Returns the square of a picture in its own pixels. */
export function squareOf({ width, height }: Picture, { zoom, across, down }: Crop) {
  const side = Math.min(width, height) / zoom
  return { left: (width - side) * across, top: (height - side) * down, side }
}

/** Moves the square against a drag, given as shares of the square's own side; it stops at the picture's edges. */
export function dragged(picture: Picture, crop: Crop, by: { readonly x: number; readonly y: number }): Crop {
  const { side } = squareOf(picture, crop)
  const moved = (at: number, share: number, length: number) =>
    length === side ? at : Math.min(1, Math.max(0, at - (share * side) / (length - side)))
  return { ...crop, across: moved(crop.across, by.x, picture.width), down: moved(crop.down, by.y, picture.height) }
}

/** Cuts the square out and returns it as a file of at most 512 pixels a side; undefined when the browser cannot. */
export async function cutSquare(picture: Picture, crop: Crop): Promise<File | undefined> {
  const image = new Image()
  image.src = picture.src
  await image.decode()
  const { left, top, side } = squareOf(picture, crop)
  const canvas = document.createElement('canvas')
  canvas.width = Math.min(MOST_PIXELS, Math.round(side))
  canvas.height = canvas.width
  canvas.getContext('2d')?.drawImage(image, left, top, side, side, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  return blob === null ? undefined : new File([blob], 'logo.png', { type: 'image/png' })
}
