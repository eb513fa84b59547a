import { ContactBoardScreen } from './contact-board-screen.tsx'

export default function KanbansScreen() {
  return <ContactBoardScreen by="kanban" />
}
