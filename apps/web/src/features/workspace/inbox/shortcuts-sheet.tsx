import { Modal, Table, Text } from '@mantine/core'
import { Shortcut } from '../../../ui/shortcut.tsx'
import classes from './shortcuts-sheet.module.css'
import { ticketActions } from './ticket-actions.ts'

type Key = { keys: readonly string[]; or?: readonly string[]; text: string }
type Group = { title: string; keys: Key[] }

/** The keys of these actions, as the table of actions has them. */
const keysOf = (keys: readonly string[]): Key[] =>
  keys.flatMap((key) => {
    const { letters, keysText, label = '' } = ticketActions.find((action) => action.key === key) ?? {}
    const [first, second] = letters ?? []
    return first ? { keys: [first], or: second ? [second] : undefined, text: keysText ?? label } : []
  })

const groups: Group[] = [
  {
    title: 'Lista',
    keys: [
      { keys: ['J'], text: 'Próximo atendimento' },
      { keys: ['K'], text: 'Atendimento anterior' },
      { keys: ['↓'], or: ['↑'], text: 'Mover o foco pela lista' },
      { keys: ['Enter'], text: 'Abrir o atendimento em foco' },
      { keys: ['G'], or: ['Ctrl', 'G'], text: 'Assumir próximo' },
      { keys: ['F'], or: ['/'], text: 'Buscar atendimentos' },
      { keys: ['X'], text: 'Selecionar' },
      { keys: ['Shift'], text: 'Com o clique, selecionar vários' },
      ...keysOf(['unread']),
    ],
  },
  {
    title: 'Atendimento aberto ou em foco',
    keys: [
      ...keysOf(['accept']),
      { keys: ['R'], text: 'Responder' },
      { keys: ['N'], text: 'Escrever nota interna' },
      ...keysOf(['transfer', 'pause', 'close']),
      { keys: ['Z'], or: ['Ctrl', 'Z'], text: 'Desfazer o encerramento ou a transferência' },
    ],
  },
  {
    title: 'Mensagem',
    keys: [
      { keys: ['Enter'], text: 'Enviar' },
      { keys: ['Shift', 'Enter'], text: 'Nova linha' },
      { keys: ['Ctrl', 'Enter'], text: 'Enviar sem esperar' },
      { keys: ['Ctrl', 'Shift', 'Enter'], text: 'Enviar e encerrar' },
      { keys: ['Esc'], text: 'Sair do campo: as letras voltam a ser atalhos' },
      { keys: ['Ctrl', 'Z'], text: 'Desfazer o envio' },
      { keys: ['/'], text: 'Mensagens rápidas' },
      { keys: ['\\'], text: 'Macros' },
      { keys: ['{{'], text: 'Variáveis' },
      { keys: ['@'], text: 'Chamar um colega na nota' },
    ],
  },
  {
    title: 'Em qualquer lugar',
    keys: [
      { keys: ['Ctrl', 'K'], text: 'Buscar em tudo' },
      { keys: ['Ctrl', 'Shift', 'F'], text: 'Buscar mensagens' },
      { keys: ['Esc'], text: 'Fechar o que está por cima' },
      { keys: ['?'], text: 'Mostrar esta lista' },
    ],
  },
]

export const ShortcutsSheet = ({ onClose }: { onClose: () => void }) => (
  <Modal
    opened
    onClose={onClose}
    size={720}
    title={<Text fw={600}>Atalhos do teclado</Text>}
    closeButtonProps={{ 'aria-label': 'Fechar' }}
  >
    <div className={classes.groups}>
      {groups.map(({ title, keys }) => (
        <section key={title}>
          <h3 className={classes.title}>{title}</h3>
          <Table withRowBorders={false} aria-label={title}>
            <Table.Tbody>
              {keys.map((one) => (
                <Table.Tr key={one.text}>
                  <Table.Td w={110}>
                    <Shortcut keys={one.keys} />
                    {one.or && (
                      <>
                        <span className={classes.or}> ou </span>
                        <Shortcut keys={one.or} />
                      </>
                    )}
                    <span className={classes.unseen}>
                      {[one.keys.join(' '), one.or?.join(' ')].filter(Boolean).join(' ou ')}
                    </span>
                  </Table.Td>
                  <Table.Td>{one.text}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
      ))}
    </div>
  </Modal>
)
