/** A turning ring; what it stands for is said by the part around it. */
export function Spinner() {
  return (
    <span
      aria-hidden
      className="inline-block size-4 animate-spin rounded-full border-2 border-current border-e-transparent motion-reduce:animate-none"
    />
  )
}
