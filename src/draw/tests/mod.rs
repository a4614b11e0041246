mod draughts;
