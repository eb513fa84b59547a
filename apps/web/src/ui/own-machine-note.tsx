import { isOwnMachine } from '@balcao/contract/core/public-address.ts'
import { Text } from '@mantine/core'

/** Beside an address that is meant for others: says so where it leads to the very machine it is opened on. */
export const OwnMachineNote = ({ address }: { address: string }) =>
  isOwnMachine(address) && (
    <Text size="sm" c="var(--mantine-color-error)">
      Este endereço só abre nesta máquina. Para valer em outras, quem cuida da instalação define PUBLIC_URL.
    </Text>
  )
