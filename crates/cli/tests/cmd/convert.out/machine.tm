component Machine lts { actions coin, tea; init idle; idle: -coin-> paid; paid: -tea-> idle -tau-> paid; }
