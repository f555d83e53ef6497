property lit: mu red;
