import { Button } from '@mantine/core'
import { Link } from 'react-router'

/** The next step of an empty screen, where it is taken on another one. */
export const GoTo = ({ to, label }: { to: string; label: string }) => (
  <Button component={Link} to={to} variant="default">
    {label}
  </Button>
)
