export type Box = { readonly top: number; readonly bottom: number; readonly left: number; readonly right: number }

/** Returns the first place from `start` on down at which something as high covers none of the boxes. */
export function clearTop(
  { left, right, height, start }: { left: number; right: number; height: number; start: number },
  boxes: readonly Box[],
): number {
  const gap = 8
  return boxes
    .filter((box) => box.right > left && box.left < right)
    .toSorted((a, b) => a.top - b.top)
    .reduce((top, box) => (box.top < top + height && box.bottom > top ? box.bottom + gap : top), start)
}
