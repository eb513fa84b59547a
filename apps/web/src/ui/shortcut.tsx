import { Kbd } from '@mantine/core'

const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent)

/** "Ctrl K" as keys; Command on a Mac. */
export const Shortcut = ({ keys }: { keys: readonly string[] }) => (
  <span aria-hidden>
    {keys.map((key) => (
      <Kbd key={key} size="xs" mr={2}>
        {isMac && key === 'Ctrl' ? '⌘' : key}
      </Kbd>
    ))}
  </span>
)
